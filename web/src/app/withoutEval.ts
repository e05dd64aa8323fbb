import { z } from 'zod'

// Our Content-Security-Policy forbids eval. zod tries it when the first schema is created, and the browser would report that, so
// this module must be imported before any that creates one.
z.config({ jitless: true })
