// Asks what every signed-in page needs first, while the scripts that are going to need it are still on their way. Its own file because
// the Content-Security-Policy allows no inline script. `firstAnswers.ts` hands the answers on.
;(function askFirst() {
  // Of several organizations a question has to name one, as `request.ts` does.
  if (document.cookie.includes('watchroom_organization=')) return
  window.watchroomAnswers = {}
  const ask = (path, handOn) => {
    window.watchroomAnswers[path] = fetch(path, { headers: { accept: 'application/json' } })
      .then(async (answer) => {
        const text = await answer.text()
        if (answer.ok) handOn?.(text)
        return new Response(text, answer)
      })
      // Whoever needs it asks again.
      .catch(() => undefined)
  }
  ask('/api/auth/whoami', (text) => {
    const { payload } = JSON.parse(text)
    ask(`/api/db/people_roles?id=in.(${encodeURIComponent((payload.user ?? payload).id)})`)
  })
  ask('/api/properties')
})()
