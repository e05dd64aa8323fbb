import { Button, FormGroup, HTMLSelect, InputGroup, Tag } from '@blueprintjs/core'
import { Duplicate, Link as LinkIcon } from '@blueprintjs/icons'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toWord } from '@watchroom/shared/health'
import type { WallBoard, WallLink } from '@watchroom/shared/wall'
import { type SubmitEvent, useId, useState } from 'react'

import { errorText } from '../../../api/request.ts'
import { useScreenClock } from '../../../ui/clock.tsx'
import { copyText } from '../../../ui/copyToClipboard.ts'
import { formatExact } from '../../../ui/formatTime.ts'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'
import { showErrorToast, showToast } from '../../../ui/toaster.ts'
import { createLinkMutation, wallKeys, withdrawLinkMutation } from '../queries.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { useFirstFocus } from './useFirstFocus.ts'

const DAY_MS = 86_400_000

const EXPIRIES = [
  { label: 'Until withdrawn', days: null },
  { label: 'For a day', days: 1 },
  { label: 'For a week', days: 7 },
  { label: 'For 30 days', days: 30 },
  { label: 'For a year', days: 365 },
] as const

interface BoardLinksProps {
  board: WallBoard
  links: readonly WallLink[]
}

/** The screens that show a board without an account: make a link, see who uses it, withdraw it. */
export function BoardLinks({ board, links }: BoardLinksProps) {
  const [isMaking, setMaking] = useState(false)
  const [withdrawn, setWithdrawn] = useState<WallLink | null>(null)
  return (
    <div className="wall-links">
      {links.length > 0 ? (
        <table className="wall-links-table" aria-label={`Screens that show ${board.name}`}>
          <thead>
            <tr>
              <th scope="col">Screen</th>
              <th scope="col">State</th>
              <th scope="col">Last seen</th>
              <th scope="col">Ends</th>
              <th scope="col">Made by</th>
              <th scope="col">
                <span className="wr-visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {links.map((link) => (
              <tr key={link.id} data-state={link.state}>
                <th scope="row">{link.name}</th>
                <td>
                  <Tag minimal intent={link.state === 'active' ? 'success' : 'none'}>
                    {toWord(link.state)}
                  </Tag>
                </td>
                <td data-label="Last seen">
                  <TimeAgo at={link.lastSeenAt} absent="never" />
                </td>
                <td data-label="Ends">{toEnd(link)}</td>
                <td data-label="Made by">{link.createdBy}</td>
                <td>
                  {link.state === 'active' ? (
                    <Button
                      size="small"
                      text="Withdraw"
                      aria-label={`Withdraw ${link.name}`}
                      onClick={() => setWithdrawn(link)}
                    />
                  ) : null}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
      {isMaking ? (
        <NewLink board={board} onDone={() => setMaking(false)} />
      ) : (
        <Button
          size="small"
          variant="minimal"
          icon={<LinkIcon />}
          text="Link for a screen"
          aria-label={`Link for a screen that shows ${board.name}`}
          onClick={() => setMaking(true)}
        />
      )}
      {withdrawn ? <WithdrawLink link={withdrawn} onDone={() => setWithdrawn(null)} /> : null}
    </div>
  )
}

function toEnd({ state, expiresAt }: WallLink): string {
  if (expiresAt !== null) return formatExact(Date.parse(expiresAt))
  return state === 'withdrawn' ? '–' : 'when withdrawn'
}

function NewLink({ board, onDone }: { board: WallBoard; onDone: () => void }) {
  const id = useId()
  const nameField = useFirstFocus()
  const { serverNow } = useScreenClock()
  const queryClient = useQueryClient()
  const [name, setName] = useState('')
  const [days, setDays] = useState<number | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const making = useMutation({
    ...createLinkMutation,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: wallKeys.links }),
  })

  function handleSubmit(event: SubmitEvent): void {
    event.preventDefault()
    const isEmpty = name.trim() === ''
    setProblem(isEmpty ? 'This field is required' : null)
    if (isEmpty) return
    const expiresAt = days === null ? null : new Date(serverNow() + days * DAY_MS).toISOString()
    making.mutate({ boardId: board.id, name, expiresAt })
  }

  if (making.isSuccess) return <Token url={toUrl(making.data.token)} name={making.data.link.name} onDone={onDone} />
  return (
    <form className="wall-new-link" aria-label={`Link for a screen that shows ${board.name}`} onSubmit={handleSubmit}>
      <FormGroup
        label="Name of the screen"
        labelFor={`${id}-name`}
        intent={problem === null ? 'none' : 'danger'}
        helperText={problem ?? (making.isError ? errorText(making.error) : undefined)}
      >
        <InputGroup
          id={`${id}-name`}
          inputRef={nameField}
          maxLength={80}
          placeholder="Lobby, second floor …"
          value={name}
          aria-invalid={problem !== null}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </FormGroup>
      <FormGroup label="Valid" labelFor={`${id}-days`}>
        <HTMLSelect
          id={`${id}-days`}
          value={days ?? ''}
          onChange={(event) => setDays(Number(event.currentTarget.value) || null)}
        >
          {EXPIRIES.map((expiry) => (
            <option key={expiry.label} value={expiry.days ?? ''}>
              {expiry.label}
            </option>
          ))}
        </HTMLSelect>
      </FormGroup>
      <div className="wall-admin-actions">
        <Button type="submit" intent="primary" text="Make link" loading={making.isPending} />
        <Button text="Cancel" onClick={onDone} />
      </div>
    </form>
  )
}

/** After `#` the token never reaches a server's log or another page. */
const toUrl = (token: string): string => `${window.location.origin}/wall/device#${token}`

function Token({ url, name, onDone }: { url: string; name: string; onDone: () => void }) {
  return (
    <section className="wall-token" aria-label={`Link of ${name}`}>
      <p>
        <strong>Open this on {name}.</strong> Whoever has it sees the board; it is shown only now.
      </p>
      <code>{url}</code>
      <div className="wall-admin-actions">
        <Button icon={<Duplicate />} text="Copy link" intent="primary" onClick={() => void copyText(url)} />
        <Button text="Done" onClick={onDone} />
      </div>
    </section>
  )
}

function WithdrawLink({ link, onDone }: { link: WallLink; onDone: () => void }) {
  const queryClient = useQueryClient()
  const withdrawing = useMutation({
    ...withdrawLinkMutation,
    onSuccess: () => showToast(`${link.name} withdrawn`),
    onError: (error) => showErrorToast(errorText(error)),
    onSettled: async () => {
      await queryClient.invalidateQueries({ queryKey: wallKeys.links })
      onDone()
    },
  })
  return (
    <ConfirmDialog
      title={`Withdraw the link of ${link.name}?`}
      confirmText="Withdraw"
      isBusy={withdrawing.isPending}
      onConfirm={() => withdrawing.mutate(link.id)}
      onCancel={onDone}
    >
      The screen goes dark within seconds and says so. The link works never again; a new one can be made.
    </ConfirmDialog>
  )
}
