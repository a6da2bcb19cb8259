// Before the first paint: light or dark, as chosen earlier; else as the system has it.
const chosen = localStorage.getItem('hog.theme');
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
