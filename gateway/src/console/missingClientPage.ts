/** Shown while there is no built client, as in a fresh development tree. */
export const MISSING_CLIENT_PAGE = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>Watchroom: not built</title></head>
  <body>
    <h1>The web client is not built</h1>
    <p>The gateway runs, but the directory with the built client is missing.</p>
    <p>Run <code>npm run build</code> and reload this page, or use <code>npm run dev</code> and the address it prints.</p>
  </body>
</html>
`
