import { z } from 'zod'

// Our content security policy forbids eval. zod tries it when the first schema is made, and the browser would report that:
// this module has to be imported before any that makes one.
z.config({ jitless: true })
