// Blocks the first paint for a moment so that a dark room never sees a white flash. Its own file because the
// Content-Security-Policy allows no inline script. `theme.ts` owns the value and applies later changes.
;(function applyStoredTheme() {
  var choice = 'system'
  try {
    var stored = JSON.parse(localStorage.getItem('theme') || 'null')
    if (stored && stored.v === 1) choice = stored.value
  } catch {
    // Storage may be blocked or hold something else: the system's choice is the default.
  }
  // A wallboard is dark unless its address says otherwise (`features/wallboard/search.ts`).
  if (/^\/wall(?:\/device)?\/?$/.test(location.pathname)) {
    choice = new URLSearchParams(location.search).get('theme') || 'dark'
  }
  var isDark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.body.classList.toggle('bp6-dark', isDark)
  document.documentElement.style.colorScheme = isDark ? 'dark' : 'light'
})()
