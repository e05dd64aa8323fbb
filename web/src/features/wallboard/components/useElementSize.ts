import { type RefObject, useLayoutEffect, useState } from 'react'

export interface Size {
  readonly width: number
  readonly height: number
}

/** Inner size of an element, followed for as long as it is there. */
export function useElementSize(element: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const measured = element.current
    if (measured === null) return undefined
    const measure = (): void => {
      const next = { width: measured.clientWidth || measured.offsetWidth, height: measured.clientHeight }
      setSize((before) => (before.width === next.width && before.height === next.height ? before : next))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(measured)
    return () => observer.disconnect()
  }, [element])
  return size
}
