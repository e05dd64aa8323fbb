// What scrapers find, before and after the rules of their spec were asked.

/** Where in a source something is, in words for people. */
export interface SourcePlace {
  /** A file, an address, a command. */
  readonly source: string
  /** From 1, where it is known. */
  readonly line?: number | undefined
}

/** One thing that could not be used. The run goes on. */
export interface SourceWarning extends SourcePlace {
  readonly message: string
  /** Items may be hidden behind it: a run that has one deletes nothing. */
  readonly hidesItems: boolean
}

/** Another item: by its id at the source or by its name, and by its type where that is said. */
export interface ItemReference {
  readonly id?: string | undefined
  readonly name?: string | undefined
  readonly type?: string | undefined
}

export interface ItemRelationship {
  readonly to: ItemReference
  /** Anything but `hard`, which is what parents are related by. */
  readonly relation: string
  /** Outgoing unless it is said. */
  readonly direction?: 'outgoing' | 'incoming' | undefined
}

/** Something that happened to an item, as its source tells it. */
export interface ItemChange {
  /** The source's own id of the change: reported again, it is the same change. */
  readonly id: string
  readonly type: string
  readonly severity?: string | undefined
  readonly source?: string | undefined
  readonly summary?: string | undefined
  readonly createdBy?: string | undefined
  /** Now when absent. */
  readonly createdAt?: Date | undefined
  readonly details?: unknown
  /** Unified. */
  readonly diff?: string | undefined
}

export interface ItemInsight {
  /** With its type it tells the insights of one item apart. */
  readonly analyzer: string
  readonly type: string
  readonly severity: string
  readonly message: string
  readonly summary?: string | undefined
}

export interface ItemProperty {
  readonly name: string
  readonly value: string
  readonly label?: string | undefined
  readonly unit?: string | undefined
  readonly icon?: string | undefined
}

export interface ItemCosts {
  readonly perMinute?: number | undefined
  readonly total1d?: number | undefined
  readonly total7d?: number | undefined
  readonly total30d?: number | undefined
}

/** What is known of an item without its document. */
export interface ItemFacts {
  readonly id?: string | undefined
  /** Other names that the source knows it by. */
  readonly aliases?: readonly string[] | undefined
  readonly name?: string | undefined
  readonly type?: string | undefined
  readonly class?: string | undefined
  readonly status?: string | undefined
  /** healthy, unhealthy, warning, unknown */
  readonly health?: string | undefined
  readonly description?: string | undefined
  readonly icon?: string | undefined
  readonly labels?: Readonly<Record<string, string>> | undefined
  readonly tags?: Readonly<Record<string, string>> | undefined
  readonly properties?: readonly ItemProperty[] | undefined
  readonly parent?: ItemReference | undefined
  readonly relationships?: readonly ItemRelationship[] | undefined
  readonly changes?: readonly ItemChange[] | undefined
  readonly insights?: readonly ItemInsight[] | undefined
  readonly costs?: ItemCosts | undefined
  readonly createdAt?: Date | undefined
  readonly deletedAt?: Date | undefined
}

/** Who wrote what a source holds now, and when. */
export interface Authorship {
  readonly author: string
  readonly at: Date
}

/** What a family reads: a document, and what the family itself knows of it. The rules of the element go before that. */
export interface RawItem {
  /** JSON. Shown by its members, or as it is written where it is `{content, format}`. */
  readonly config: unknown
  readonly facts: ItemFacts
  readonly place: SourcePlace
  /** Asked only where the document is another one than last time. */
  readonly authorship?: (() => Promise<Authorship | null>) | undefined
}

/** An item with all that is stored of it. */
export interface ScrapedItem extends Omit<ItemFacts, 'parent'> {
  readonly id: string
  readonly type: string
  readonly name: string
  readonly class: string
  readonly aliases: readonly string[]
  readonly labels: Readonly<Record<string, string>>
  readonly tags: Readonly<Record<string, string>>
  readonly properties: readonly ItemProperty[]
  readonly parent: ItemReference | null
  readonly relationships: readonly ItemRelationship[]
  readonly changes: readonly ItemChange[]
  readonly insights: readonly ItemInsight[]
  readonly costs: ItemCosts
  /** Without secrets. */
  readonly config: unknown
  readonly place: SourcePlace
  readonly authorship?: RawItem['authorship']
}
