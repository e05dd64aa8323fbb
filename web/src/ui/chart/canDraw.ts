/** Some privacy settings take the canvas away. */
export function canDraw(): boolean {
  return document.createElement('canvas').getContext('2d') !== null
}
