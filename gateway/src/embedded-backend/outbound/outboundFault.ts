/** What is wrong with a connection or the other side, in words for whoever set it up. */
export class OutboundFault extends Error {
  override readonly name = 'OutboundFault'
}
