import { Button, Tag } from '@blueprintjs/core'
import { Link as LinkIcon } from '@blueprintjs/icons'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { WallBoard, WallLink } from '@watchroom/shared/wall'
import { useMemo, useState } from 'react'
import { z } from 'zod'

import { wallKeys } from '../../../api/queryKeys.ts'
import { useScreenClock } from '../../../ui/clock.tsx'
import { toReadyState } from '../../../ui/dataState.ts'
import { ConfirmMutation } from '../../../ui/dialog/ConfirmMutation.tsx'
import { FormDialog } from '../../../ui/dialog/FormDialog.tsx'
import { ShownOnceDialog } from '../../../ui/dialog/ShownOnceDialog.tsx'
import { requiredText } from '../../../ui/form/rules.ts'
import { SelectField } from '../../../ui/form/SelectField.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import { useForm } from '../../../ui/form/useForm.ts'
import type { TableColumn } from '../../../ui/table/column.ts'
import { ResourceTable } from '../../../ui/table/ResourceTable.tsx'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'
import { showToast } from '../../../ui/toaster.ts'
import { useExactTime } from '../../../ui/useExactTime.ts'
import { createLink, type NewWallLink, withdrawLinkMutation } from '../queries.ts'

import styles from '../wall.module.css'

const DAY_MS = 86_400_000

/** Values are days; without one there is no end. */
const EXPIRIES = [
  { value: '', label: 'Until revoked' },
  { value: '1', label: 'For a day' },
  { value: '7', label: 'For a week' },
  { value: '30', label: 'For 30 days' },
  { value: '365', label: 'For a year' },
]

interface BoardLinksProps {
  board: WallBoard
  links: readonly WallLink[]
}

/** The screens that show a board without an account: make a link, see who uses it, revoke it. */
export function BoardLinks({ board, links }: BoardLinksProps) {
  const [isMaking, setMaking] = useState(false)
  const [revoked, setRevoked] = useState<WallLink | null>(null)
  const toExact = useExactTime()
  const columns = useMemo(() => toColumns(setRevoked, toExact), [toExact])
  return (
    <div className={styles['links']}>
      {links.length > 0 ? (
        <ResourceTable
          name="wall-links"
          label={`Screens that show ${board.name}`}
          place="part"
          state={toReadyState('screens', links)}
          columns={columns}
          keyOf={keyOf}
          empty={{}}
        />
      ) : null}
      <Button
        size="small"
        variant="minimal"
        icon={<LinkIcon />}
        text="Link for a screen"
        aria-label={`Link for a screen that shows ${board.name}`}
        onClick={() => setMaking(true)}
      />
      {isMaking ? <NewLink board={board} onDone={() => setMaking(false)} /> : null}
      {revoked ? <RevokeLink link={revoked} onDone={() => setRevoked(null)} /> : null}
    </div>
  )
}

const STATES: Readonly<Record<WallLink['state'], string>> = {
  active: 'Active',
  expired: 'Expired',
  withdrawn: 'Revoked',
}

const keyOf = ({ id }: WallLink): string => id

type ToExact = (moment: number) => string

const toColumns = (onRevoke: (link: WallLink) => void, toExact: ToExact): readonly TableColumn<WallLink>[] => [
  { key: 'name', title: 'Screen', kind: 'text', isMain: true, value: ({ name }) => name },
  {
    key: 'state',
    title: 'State',
    kind: 'status',
    value: ({ state }) => state,
    render: ({ state }) => (
      <Tag minimal intent={state === 'active' ? 'success' : 'none'}>
        {STATES[state]}
      </Tag>
    ),
  },
  {
    key: 'lastSeenAt',
    title: 'Last seen',
    kind: 'time',
    value: ({ lastSeenAt }) => lastSeenAt,
    render: ({ lastSeenAt }) => <TimeAgo at={lastSeenAt} absent="Never" />,
  },
  { key: 'ends', title: 'Ends', kind: 'text', value: (link) => toEnd(link, toExact) },
  { key: 'createdBy', title: 'Made by', kind: 'person', value: ({ createdBy }) => createdBy },
  {
    key: 'revoke',
    title: 'Actions',
    kind: 'actions',
    value: () => null,
    render: (link) =>
      link.state === 'active' ? (
        <Button size="small" text="Revoke" aria-label={`Revoke ${link.name}`} onClick={() => onRevoke(link)} />
      ) : null,
  },
]

function toEnd({ state, expiresAt }: WallLink, toExact: ToExact): string {
  if (expiresAt !== null) return toExact(Date.parse(expiresAt))
  return state === 'withdrawn' ? '–' : 'When revoked'
}

const LinkFormSchema = z.object({ name: requiredText, days: z.string().transform(Number) })

function NewLink({ board, onDone }: { board: WallBoard; onDone: () => void }) {
  const { serverNow } = useScreenClock()
  const queryClient = useQueryClient()
  const [made, setMade] = useState<NewWallLink | null>(null)
  const form = useForm({
    schema: LinkFormSchema,
    initial: { name: '', days: '' },
    save: ({ name, days }) =>
      createLink(board.id, { name, expiresAt: days > 0 ? new Date(serverNow() + days * DAY_MS).toISOString() : null }),
    onSaved: (link) => {
      setMade(link)
      void queryClient.invalidateQueries({ queryKey: wallKeys.links })
    },
  })
  if (made) {
    return (
      <ShownOnceDialog title={`Link of ${made.link.name}`} noun="link" secret={toUrl(made.token)} onClose={onDone}>
        <p>
          <strong>Open this on {made.link.name}.</strong> Anyone with this link can see the board. It’s shown only once.
        </p>
      </ShownOnceDialog>
    )
  }
  return (
    <FormDialog form={form} title={`Link for a screen that shows ${board.name}`} action="Make link" onClose={onDone}>
      <TextField
        label="Name of the screen"
        {...form.field('name')}
        isFirst
        maxLength={80}
        placeholder="Lobby, second floor …"
      />
      <SelectField label="Valid" {...form.field('days')} options={EXPIRIES} />
    </FormDialog>
  )
}

/** After `#` the token never reaches a server's log or another page. */
const toUrl = (token: string): string => `${window.location.origin}/wall/device#${token}`

function RevokeLink({ link, onDone }: { link: WallLink; onDone: () => void }) {
  const queryClient = useQueryClient()
  const readAgain = () => queryClient.invalidateQueries({ queryKey: wallKeys.links })
  const revoking = useMutation({
    ...withdrawLinkMutation,
    onSuccess: async () => {
      showToast(`${link.name} revoked`)
      await readAgain()
      onDone()
    },
    onError: readAgain,
  })
  return (
    <ConfirmMutation
      title={`Revoke the link for ${link.name}?`}
      action="Revoke link"
      mutation={revoking}
      onConfirm={() => revoking.mutate(link.id)}
      onCancel={onDone}
    >
      The screen goes dark within seconds and says why. The link stops working for good; you can create a new one.
    </ConfirmMutation>
  )
}
