/** A thing that waits for its moment. The queue owns `queueIndex`: -1 while the item is not in it. */
export interface Due {
  dueAt: number
  queueIndex: number
}

/** Items by due time: a binary heap that can also drop or move an item in the middle (10,000 checks, edited at any time). */
export class DueQueue<Item extends Due> {
  readonly #heap: Item[] = []

  get size(): number {
    return this.#heap.length
  }

  peek(): Item | undefined {
    return this.#heap[0]
  }

  /** Adds the item, or moves it to where its changed `dueAt` belongs. */
  put(item: Item): void {
    if (item.queueIndex < 0) {
      item.queueIndex = this.#heap.length
      this.#heap.push(item)
    }
    this.#rise(item)
    this.#sink(item)
  }

  remove(item: Item): void {
    if (item.queueIndex < 0) return
    const last = this.#heap.pop()
    const index = item.queueIndex
    item.queueIndex = -1
    if (!last || last === item) return
    last.queueIndex = index
    this.#heap[index] = last
    this.#rise(last)
    this.#sink(last)
  }

  /** A copy, in no particular order. */
  items(): Item[] {
    return [...this.#heap]
  }

  #rise(item: Item): void {
    for (;;) {
      const parent = this.#heap[(item.queueIndex - 1) >> 1]
      if (item.queueIndex === 0 || !parent || parent.dueAt <= item.dueAt) return
      this.#swap(item, parent)
    }
  }

  #sink(item: Item): void {
    for (;;) {
      const left = this.#heap[2 * item.queueIndex + 1]
      const right = this.#heap[2 * item.queueIndex + 2]
      const child = right && left && right.dueAt < left.dueAt ? right : left
      if (!child || child.dueAt >= item.dueAt) return
      this.#swap(child, item)
    }
  }

  #swap(upper: Item, lower: Item): void {
    const index = upper.queueIndex
    upper.queueIndex = lower.queueIndex
    lower.queueIndex = index
    this.#heap[upper.queueIndex] = upper
    this.#heap[lower.queueIndex] = lower
  }
}
