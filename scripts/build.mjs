// `npm run build`: what `npm start` does before it starts. `--gateway`: without the web client.
import { buildGatewayIfStale, buildIfStale } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'

await ensureInstalled()
const isGatewayAlone = process.argv.includes('--gateway')
const hasBuilt = await (isGatewayAlone ? buildGatewayIfStale() : buildIfStale())
const built = isGatewayAlone ? 'gateway/dist' : 'gateway/dist and web/dist'
process.stdout.write(hasBuilt ? `Built ${built}.\n` : 'Already up to date.\n')
