// Runs before the first paint: sets light or dark if the user has chosen one; otherwise the
// system's setting applies.
try {
  const chosen = localStorage.getItem('hog.theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
} catch {
  // Where the storage is blocked, nothing has been chosen.
}
