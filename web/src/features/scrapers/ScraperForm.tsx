import { Button } from '@blueprintjs/core'
import { Plus, Trash } from '@blueprintjs/icons'
import type { ScraperFamily } from '@watchroom/shared/specs'
import { useState } from 'react'

import { useMissing } from '../../api/backendFacts.ts'
import { AddElement } from '../../editor/AddElement.tsx'
import { faultBelow } from '../../editor/faultBelow.ts'
import type { SpecPath } from '../../editor/readSpecText.ts'
import { addElementText, editSpecText, removeElementText } from '../../editor/specText.ts'
import { KeptKeys } from '../../editor/YamlOnly.tsx'
import { FieldGrid } from '../../ui/form/FieldGrid.tsx'
import { FormCard } from '../../ui/form/FormCard.tsx'
import { ScheduleField } from '../../ui/form/ScheduleField.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { FamilyFieldInput } from './FamilyFieldInput.tsx'
import { FAMILY_FORMS, type FamilyField, fieldsOf, newElementOf } from './familyForms.ts'
import { retentionPlaces } from './retention.ts'
import { RetentionRules } from './RetentionRules.tsx'
import { findScraperFaults } from './scraperFaults.ts'

import styles from './scrapers.module.css'

interface ScraperFormProps {
  /** The one copy of what is edited. */
  text: string
  spec: Readonly<Record<string, unknown>>
  /** Also what is merely missing is shown. */
  wasTried: boolean
  isReadOnly: boolean
  onChange: (text: string) => void
}

const KINDS = [...FAMILY_FORMS].map(([kind, { title }]) => ({ kind, title }))
const NO_FAULTS: ReadonlyMap<string, string> = new Map()

/** The spec of a scraper as fields. Writes into the YAML text, so nothing that it does not know is lost. */
export function ScraperForm({ text, spec, wasTried, isReadOnly, onChange }: ScraperFormProps) {
  // Another backend may know more: what is not known here is said above the form.
  const isJudged = useMissing('specJudges') === null
  const faults = isJudged ? findScraperFaults(spec, wasTried) : NO_FAULTS
  const edit = (path: SpecPath, value: unknown): void => onChange(editSpecText(text, path, value))
  const elements = listElements(spec)
  const seen = [
    ...elements.flatMap(({ family, index, keys }) => keys.map((key) => `${family}.${index}.${key}`)),
    'schedule',
    ...retentionPlaces(spec['retention']),
  ]
  const elsewhere = [...faults].filter(
    ([place]) => !seen.some((known) => place === known || place.startsWith(`${known}.`)),
  )
  const others = Object.keys(spec).filter(
    (key) => key !== 'schedule' && key !== 'retention' && !elements.some(({ family }) => family === key),
  )
  return (
    <div className={styles['form']}>
      <ScheduleField
        label="Schedule"
        defaultText="Every 30 minutes (default)"
        hasInterval={false}
        value={{ schedule: spec['schedule'] }}
        errors={{ schedule: faults.get('schedule'), interval: undefined }}
        isReadOnly={isReadOnly}
        onChange={({ schedule }) => edit(['schedule'], schedule)}
      />
      {elements.map(({ family, index, element, keys }) => (
        <ElementFields
          key={`${family}.${index}`}
          family={family}
          index={index}
          element={element}
          keys={keys}
          faults={faults}
          isReadOnly={isReadOnly}
          onChange={(key, value) => edit([family, index, key], value)}
          onRemove={() => onChange(removeElementText(text, family, index))}
        />
      ))}
      {isReadOnly ? null : (
        <AddElement
          text="Add a source"
          label="Kind of source"
          kinds={KINDS}
          onAdd={(family) => onChange(addElementText(text, family, newElementOf(family)))}
        />
      )}
      <RetentionRules
        retention={spec['retention']}
        faults={faults}
        isReadOnly={isReadOnly}
        onChange={(path, value) => edit(['retention', ...path], value)}
      />
      <KeptKeys keys={others} />
      {elsewhere.length === 0 ? null : (
        <ul className={styles['faults']} data-faulty tabIndex={-1}>
          {elsewhere.map(([place, message]) => (
            <li key={place}>{`${place || 'spec'}: ${message}`}</li>
          ))}
        </ul>
      )}
    </div>
  )
}

interface ListedElement {
  family: ScraperFamily
  index: number
  element: ReadonlyMap<string, unknown>
  /** Those that have a field. */
  keys: readonly string[]
}

/** In the order of the text. */
function listElements(spec: Readonly<Record<string, unknown>>): ListedElement[] {
  return Object.entries(spec).flatMap(([key, list]) => {
    if (!isFamily(key) || !Array.isArray(list)) return []
    const { own, items } = fieldsOf(key)
    return list.map((element: unknown, index) => ({
      family: key,
      index,
      element: new Map<string, unknown>(typeof element === 'object' && element !== null ? Object.entries(element) : []),
      keys: [...own, ...items].map((field) => field.key),
    }))
  })
}

const isFamily = (key: string): key is ScraperFamily => FAMILY_FORMS.has(key as ScraperFamily)

interface ElementFieldsProps extends ListedElement {
  faults: ReadonlyMap<string, string>
  isReadOnly: boolean
  onChange: (key: string, value: unknown) => void
  onRemove: () => void
}

/** One source: the fields of its family, and where the fields of its items are. */
function ElementFields(props: ElementFieldsProps) {
  const { family, index, element, keys, faults, isReadOnly, onChange, onRemove } = props
  const { own, items } = fieldsOf(family)
  const place = `${family}.${index}`
  const [wish, setWish] = useState(false)
  const isUsed = items.some(({ key }) => element.has(key) || faultBelow(faults, `${place}.${key}`) !== undefined)
  const title = `${FAMILY_FORMS.get(family)?.title ?? family} ${index + 1}`
  const unknown = [...element.keys()].filter((key) => !keys.includes(key))
  const toInput = (field: FamilyField) => (
    <div key={field.key} data-wide={WIDE.has(field.kind) || undefined}>
      <FamilyFieldInput
        field={field}
        value={element.get(field.key)}
        error={faultBelow(faults, `${place}.${field.key}`)}
        errorAt={(row) => faultBelow(faults, `${place}.${field.key}.${row}`)}
        isReadOnly={isReadOnly}
        onChange={(value) => onChange(field.key, value)}
      />
    </div>
  )
  return (
    <FormCard label={title}>
      <header className={styles['cardHeader']}>
        <h2>{title}</h2>
        {isReadOnly ? null : <IconButton icon={<Trash />} label={`Remove ${title}`} onClick={onRemove} />}
      </header>
      {own.length === 0 ? null : <FieldGrid>{own.map(toInput)}</FieldGrid>}
      {items.length === 0 ? null : wish || isUsed ? (
        <fieldset className={styles['rules']}>
          <legend>Items</legend>
          <FieldGrid>{items.map(toInput)}</FieldGrid>
        </fieldset>
      ) : (
        <Button
          className={`${styles['more']}`}
          size="small"
          icon={<Plus />}
          text="Where to find item fields"
          onClick={() => setWish(true)}
        />
      )}
      <KeptKeys keys={unknown} />
    </FormCard>
  )
}

const WIDE: ReadonlySet<FamilyField['kind']> = new Set(['code', 'lines', 'pairs'])
