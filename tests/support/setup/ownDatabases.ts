// Runs before each integration file: modules live as long as their worker, databases as long as the file that made them.
import { afterAll } from 'vitest'

import { dropTestDatabases } from '../database.ts'

// Registered before the hooks of the file itself, so it runs after them.
afterAll(dropTestDatabases)
