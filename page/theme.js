// Runs before the first paint: sets light or dark if the user has chosen one; otherwise the system's setting applies.
const chosen = localStorage.getItem('hog.theme');
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
