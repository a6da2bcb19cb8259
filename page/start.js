// Starts the page, unless it is shown inside another page: that one could draw over it, and lead
// its frames elsewhere. A host that sends `frame-ancestors 'none'` refuses this before the page
// loads.

if (top === self) {
  import('./main.js');
} else {
  const link = document.createElement('a');
  link.href = location.href;
  link.target = '_blank';
  link.rel = 'noopener';
  link.textContent = 'Open hog in a window of its own';
  document.body.replaceChildren(link);
}
