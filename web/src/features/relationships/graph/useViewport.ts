import { type PointerEvent, type RefObject, startTransition, useEffect, useRef, useState } from 'react'

import { useLatest } from '../../../ui/useLatest.ts'
import { CARD, type Place } from './layout.ts'

/** Drawn beyond the edges of the window, and how far it moves before more is drawn: pixels of the screen. */
const MARGIN_PX = 400
const STEP_PX = 200
/** Around the graph, whatever the scale. */
export const PADDING_PX = 40
/** `first`: the smallest at which the lines of a card, of 12 pixels, are read without zooming in. */
const SCALES = { least: 0.1, most: 1.5, first: 0.8, step: 1.25 } as const

interface Size {
  readonly width: number
  readonly height: number
}

/** A part of the graph, in pixels of the screen. */
interface Part {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** A window that scrolls over the graph, and how large the graph is drawn in it. */
export function useViewport(box: RefObject<HTMLDivElement | null>, size: Size) {
  const [scale, setScale] = useState(1)
  // Nothing, until it is known where the window stands.
  const [part, setPart] = useState<Part>({ left: 0, top: 0, right: -1, bottom: -1 })
  const scaleNow = useLatest(() => scale)
  const measure = useLatest((): void => {
    const element = box.current
    if (element === null) return
    const snap = (pixels: number): number => Math.floor(pixels / STEP_PX) * STEP_PX
    const [left, top] = [snap(element.scrollLeft), snap(element.scrollTop)]
    const next = {
      left: left - MARGIN_PX,
      top: top - MARGIN_PX,
      right: left + element.clientWidth + STEP_PX + MARGIN_PX,
      bottom: top + element.clientHeight + STEP_PX + MARGIN_PX,
    }
    const keys = ['left', 'top', 'right', 'bottom'] as const
    // Hundreds of cards: a few at a time.
    if (keys.some((key) => next[key] !== part[key])) startTransition(() => setPart(next))
  })
  useEffect(() => {
    const observer = new ResizeObserver(measure)
    if (box.current) observer.observe(box.current)
    return () => observer.disconnect()
  }, [box, measure])

  const fitting = (): number => {
    const { clientWidth = 0, clientHeight = 0 } = box.current ?? {}
    return Math.min(1, clientWidth / Math.max(1, size.width), clientHeight / Math.max(1, size.height))
  }
  const within = (next: number): number => Math.min(SCALES.most, Math.max(SCALES.least, next))
  /** What is in the middle stays there. */
  const scaleTo = (wanted: number): void => {
    const [element, next] = [box.current, within(wanted)]
    setScale(next)
    if (element === null) return
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = element
    const moved = (start: number, length: number): number => (start + length / 2) * (next / scale) - length / 2
    requestAnimationFrame(() => element.scrollTo(moved(scrollLeft, clientWidth), moved(scrollTop, clientHeight)))
  }
  return {
    scale,
    onScroll: measure,
    /** Another one where other cards are to be drawn. */
    part,
    /** Whether anything between two cards, or of a single one, is near the window. */
    holds: (one: Place, other: Place = one): boolean =>
      (Math.max(one.x, other.x) + CARD.width) * scale >= part.left &&
      Math.min(one.x, other.x) * scale <= part.right &&
      (Math.max(one.y, other.y) + CARD.height) * scale >= part.top &&
      Math.min(one.y, other.y) * scale <= part.bottom,
    zoom: (step: 1 | -1) => scaleTo(scale * SCALES.step ** step),
    fit: () => scaleTo(fitting()),
    /** Brings a card into the middle; the page around the graph stays where it is. */
    center: ({ x, y }: Place): void => {
      const element = box.current
      if (element === null) return
      const now = scaleNow()
      element.scrollTo({
        left: PADDING_PX + (x + CARD.width / 2) * now - element.clientWidth / 2,
        top: PADDING_PX + (y + CARD.height / 2) * now - element.clientHeight / 2,
      })
      measure()
    },
    /** As much as can still be read. */
    begin: () => setScale(Math.max(SCALES.first, within(fitting()))),
    ...useDrag(box),
  }
}

/** Moves the graph under the pointer; a finger scrolls it by itself. */
function useDrag(box: RefObject<HTMLDivElement | null>) {
  const from = useRef<{ x: number; y: number } | null>(null)
  return {
    onPointerDown: ({ button, pointerType, target, clientX: x, clientY: y }: PointerEvent): void => {
      const isCard = target instanceof Element && target.closest('a, button') !== null
      if (button === 0 && pointerType === 'mouse' && !isCard) from.current = { x, y }
    },
    onPointerMove: ({ buttons, clientX: x, clientY: y }: PointerEvent): void => {
      if (from.current === null || buttons !== 1) return
      box.current?.scrollBy(from.current.x - x, from.current.y - y)
      from.current = { x, y }
    },
    onPointerUp: (): void => {
      from.current = null
    },
  }
}
