/** False if privacy settings disable the canvas. */
export function canDraw(): boolean {
  return document.createElement('canvas').getContext('2d') !== null
}
