import type { GraphLooks } from '../../../preferences/relationships.ts'
import { CARD, type Place } from './layout.ts'

/** Pixels. */
const CORNER = 12
const ARROW = { length: 8, half: 4 } as const

/** All edges as one line, and their arrows as one shape: a thousand elements less for the browser. */
export function drawEdges(
  edges: readonly (readonly [from: Place, to: Place])[],
  { direction, edges: style }: GraphLooks,
): { lines: string; arrows: string } {
  const lines: string[] = []
  const arrows: string[] = []
  for (const [from, to] of edges) {
    // Along the ranks, and across them.
    const [start, end] = direction === 'LR' ? [leave(from), enter(to)] : [flip(leaveDown(from)), flip(enterDown(to))]
    const draw = style === 'bezier' ? bezier : step
    lines.push(
      draw(start, end)
        .map((part) => write(part, direction))
        .join(''),
    )
    arrows.push(
      arrow(end)
        .map((part) => write(part, direction))
        .join(''),
    )
  }
  return { lines: lines.join(''), arrows: arrows.join('') }
}

type Point = readonly [along: number, across: number]
/** A command of a path and its points. */
type Part = readonly [command: string, ...points: Point[]]

const leave = ({ x, y }: Place): Point => [x + CARD.width, y + CARD.height / 2]
const enter = ({ x, y }: Place): Point => [x, y + CARD.height / 2]
const leaveDown = ({ x, y }: Place): Point => [x + CARD.width / 2, y + CARD.height]
const enterDown = ({ x, y }: Place): Point => [x + CARD.width / 2, y]
const flip = ([x, y]: Point): Point => [y, x]

function write([command, ...points]: Part, direction: GraphLooks['direction']): string {
  const texts = points.map((point) => (direction === 'LR' ? point : flip(point)).map(Math.round).join(' '))
  return `${command}${texts.join(' ')}`
}

function bezier(start: Point, end: Point): Part[] {
  const reach = Math.max(40, Math.abs(end[0] - start[0]) / 2)
  return [
    ['M', start],
    ['C', [start[0] + reach, start[1]], [end[0] - reach, end[1]], end],
  ]
}

function step(start: Point, end: Point): Part[] {
  const middle = (start[0] + end[0]) / 2
  const way = Math.sign(end[1] - start[1])
  const corner = Math.min(CORNER, Math.abs(end[1] - start[1]) / 2, Math.abs(end[0] - start[0]) / 2)
  const forth = Math.sign(end[0] - start[0]) || 1
  return [
    ['M', start],
    ['L', [middle - corner * forth, start[1]]],
    ['Q', [middle, start[1]], [middle, start[1] + corner * way]],
    ['L', [middle, end[1] - corner * way]],
    ['Q', [middle, end[1]], [middle + corner * forth, end[1]]],
    ['L', end],
  ]
}

const arrow = ([along, across]: Point): Part[] => [
  ['M', [along, across]],
  ['L', [along - ARROW.length, across - ARROW.half]],
  ['L', [along - ARROW.length, across + ARROW.half]],
  ['Z'],
]
