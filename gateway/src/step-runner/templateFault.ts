/** What is wrong with a template or an expression, in words for its author. */
export class TemplateFault extends Error {
  override readonly name: string = 'TemplateFault'
}

/** Nothing is known to be wrong with it: it could not be asked now. */
export class NotAsked extends TemplateFault {
  override readonly name = 'NotAsked'
}
