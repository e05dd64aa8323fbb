import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useReducer, useRef } from 'react'
import type * as Y from 'yjs'

import { tryDecodeCaret } from './caretPosition.ts'
import type { PresentPeer } from './contract.ts'

/** Everything that affects the position of a character. */
const COPIED_STYLES = [
  'boxSizing',
  'borderTopWidth',
  'borderRightWidth',
  'borderBottomWidth',
  'borderLeftWidth',
  'paddingTop',
  'paddingRight',
  'paddingBottom',
  'paddingLeft',
  'fontFamily',
  'fontSize',
  'fontStyle',
  'fontVariantNumeric',
  'fontWeight',
  'letterSpacing',
  'lineHeight',
  'tabSize',
  'textAlign',
  'textIndent',
  'textTransform',
  'wordSpacing',
] as const

interface RemoteCaretsProps {
  readonly field: RefObject<HTMLInputElement | HTMLTextAreaElement | null>
  readonly text: Y.Text
  readonly peers: readonly PresentPeer[]
}

/**
 * Other people's carets and selections in a field. A field cannot draw them itself, so an invisible copy of its text lies over
 * it, with the same font and line breaks. Hidden from assistive technology: the field's description says who is typing.
 */
export function RemoteCarets({ field, text, peers }: RemoteCaretsProps): ReactNode {
  const mirror = useRef<HTMLDivElement>(null)
  const [, redraw] = useReducer((count: number) => count + 1, 0)

  useEffect(() => {
    text.observe(redraw)
    return () => text.unobserve(redraw)
  }, [text])

  useLayoutEffect(() => {
    const source = field.current
    const target = mirror.current
    if (source === null || target === null) return
    const computed = getComputedStyle(source)
    for (const name of COPIED_STYLES) target.style[name] = computed[name]
    // An input centers its single line vertically.
    if (source instanceof HTMLInputElement) target.style.lineHeight = `${source.clientHeight}px`
    target.style.left = `${source.offsetLeft}px`
    target.style.top = `${source.offsetTop}px`
    target.style.width = `${source.offsetWidth}px`
    target.style.height = `${source.offsetHeight}px`
    target.scrollLeft = source.scrollLeft
    target.scrollTop = source.scrollTop
  })

  useEffect(() => {
    const source = field.current
    if (source === null) return undefined
    source.addEventListener('scroll', redraw)
    return () => source.removeEventListener('scroll', redraw)
  }, [field])

  const isMultiline = field.current instanceof HTMLTextAreaElement
  return (
    <div ref={mirror} className="collab-mirror" data-multiline={isMultiline} aria-hidden="true">
      {toPieces(text, peers).map((piece) =>
        piece.kind === 'caret' ? (
          <span key={piece.key} className="collab-caret" data-peer-color={piece.peer.color}>
            <span className="collab-caret-name">{piece.peer.user.name}</span>
          </span>
        ) : (
          <span
            key={piece.key}
            className={piece.selectedBy ? 'collab-selection' : undefined}
            data-peer-color={piece.selectedBy?.color}
          >
            {piece.text}
          </span>
        ),
      )}
    </div>
  )
}

type Piece =
  | { readonly kind: 'text'; readonly key: string; readonly text: string; readonly selectedBy: PresentPeer | undefined }
  | { readonly kind: 'caret'; readonly key: string; readonly peer: PresentPeer }

/** The text, split at every caret and at both ends of every selection. */
function toPieces(text: Y.Text, peers: readonly PresentPeer[]): Piece[] {
  const carets = peers.flatMap((peer) => {
    const head = tryDecodeCaret(text, peer.editing?.head)
    const anchor = tryDecodeCaret(text, peer.editing?.anchor) ?? head
    return head === null || anchor === null
      ? []
      : [{ peer, head, start: Math.min(anchor, head), end: Math.max(anchor, head) }]
  })
  const value = text.toJSON()
  const cuts = [...new Set([0, value.length, ...carets.flatMap(({ start, end }) => [start, end])])].toSorted(
    (a, b) => a - b,
  )
  return cuts.flatMap((from, index): Piece[] => {
    const to = cuts[index + 1] ?? from
    const here = carets
      .filter(({ head }) => head === from)
      .map(({ peer }): Piece => ({ kind: 'caret', key: `caret ${peer.clientId}`, peer }))
    if (to === from) return here
    const selectedBy = carets.find(({ start, end }) => start <= from && end >= to && start < end)?.peer
    return [...here, { kind: 'text', key: `text ${from}`, text: value.slice(from, to), selectedBy }]
  })
}
