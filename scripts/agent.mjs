// `npm run agent`: makes a fresh clone ready (install, build) and becomes an agent.
import { becomeProgram } from './lib/program.mjs'

await becomeProgram('agent.js')
