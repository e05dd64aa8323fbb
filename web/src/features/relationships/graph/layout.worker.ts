// A large graph takes a second to lay out: the page stays free meanwhile.
import { layOut, type LayoutAsk } from './layout.ts'

globalThis.addEventListener('message', ({ data }: MessageEvent<LayoutAsk>) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker answers its page, there is no other
  globalThis.postMessage(layOut(data))
})
