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
    // Live topics need a socket. This one is admitted while the scripts load, and `socketAhead.ts` takes it over.
    const hello = '40{"versions":[1],"encodings":["deflate-columns"],"as":"person"}'
    const events = []
    const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`)
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the script that takes over the socket replaces this listener
    socket.onopen = socket.onmessage = (event) => {
      if (events.push(event) === 1) socket.send(hello)
    }
    window.watchroomSocket = { socket, events, hello }
    // If no script has taken it over by then, none will.
    setTimeout(() => window.watchroomSocket && socket.close(), 9_000)
  })
  ask('/api/properties')
})()
