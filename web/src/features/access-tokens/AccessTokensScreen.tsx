import { Button } from '@blueprintjs/core'
import { Key, Plus, Trash } from '@blueprintjs/icons'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { AccessToken } from '@watchroom/shared/people'
import { type ReactNode, useState } from 'react'

import { isStandalone, useSession } from '../../api/session.tsx'
import { ConfirmMutation } from '../../ui/dialog/ConfirmMutation.tsx'
import { ShownOnceDialog } from '../../ui/dialog/ShownOnceDialog.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { toQueryState } from '../../ui/QueryStates.tsx'
import type { TableColumn } from '../../ui/table/column.ts'
import { ResourceTable } from '../../ui/table/ResourceTable.tsx'
import type { RowAction } from '../../ui/table/RowActions.tsx'
import { showToast } from '../../ui/toaster.ts'
import { CreateTokenDialog } from './CreateTokenDialog.tsx'
import { accessTokensQuery, revokeAccessToken } from './queries.ts'

import styles from './accessTokens.module.css'

const keyOf = ({ id }: AccessToken): string => id

const COLUMNS: readonly TableColumn<AccessToken>[] = [
  { key: 'name', title: 'Name', kind: 'text', isMain: true, value: ({ name }) => name },
  { key: 'role', title: 'Role', kind: 'text', value: ({ role }) => role ?? 'yours' },
  { key: 'lastUsedAt', title: 'Last used', kind: 'time', value: ({ lastUsedAt }) => lastUsedAt },
  { key: 'expiresAt', title: 'Expires', kind: 'time', value: ({ expiresAt }) => expiresAt },
  { key: 'createdAt', title: 'Created', kind: 'time', value: ({ createdAt }) => createdAt },
]

type Dialog =
  | { readonly kind: 'create' }
  | { readonly kind: 'made'; readonly name: string; readonly token: string }
  | { readonly kind: 'revoke'; readonly token: AccessToken }

/** `/settings/access-tokens`: the tokens that the person's scripts sign in with. */
export function AccessTokensScreen() {
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const { user } = useSession()
  const tokens = useQuery(accessTokensQuery)
  const add = { text: 'Create access token', icon: <Plus />, onClick: () => setDialog({ kind: 'create' }) }
  const actionsOf = (token: AccessToken): readonly RowAction[] => [
    { text: 'Revoke', icon: <Trash />, isDestructive: true, onSelect: () => setDialog({ kind: 'revoke', token }) },
  ]
  return (
    <>
      <PageHeader title="Access tokens" {...(isStandalone(user) ? {} : { action: add })} />
      <p className={styles['intro']}>
        Scripts sign in with HTTP Basic: the name is <code>token</code>, the password is the token.
      </p>
      <ResourceTable
        name="access-tokens"
        label="Access tokens"
        state={toQueryState(tokens, 'access tokens')}
        columns={COLUMNS}
        keyOf={keyOf}
        rowActions={actionsOf}
        empty={{
          icon: <Key size={28} />,
          text: 'You have no access tokens. A token lets a script act with your permissions, without your password.',
          action: <Button {...add} />,
        }}
      />
      <TokenDialogs dialog={dialog} onDialog={setDialog} />
    </>
  )
}

function TokenDialogs(props: { dialog: Dialog | null; onDialog: (dialog: Dialog | null) => void }): ReactNode {
  const { dialog, onDialog } = props
  const queryClient = useQueryClient()
  const handleClose = (): void => onDialog(null)
  const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: accessTokensQuery.queryKey })
  if (dialog === null) return null
  switch (dialog.kind) {
    case 'create':
      return (
        <CreateTokenDialog
          onCreated={(made) => {
            void refresh()
            onDialog({ kind: 'made', ...made })
          }}
          onClose={handleClose}
        />
      )
    case 'made':
      return <TokenDialog name={dialog.name} token={dialog.token} onClose={handleClose} />
    case 'revoke':
      return <RevokeDialog token={dialog.token} onRevoked={() => void refresh()} onClose={handleClose} />
  }
}

/** The only place where a token is ever shown. */
function TokenDialog({ name, token, onClose }: { name: string; token: string; onClose: () => void }) {
  return (
    <ShownOnceDialog title={`Access token ${name}`} noun="token" secret={token} onClose={onClose}>
      <p>Copy it now and treat it like a password: it’s shown only once.</p>
    </ShownOnceDialog>
  )
}

function RevokeDialog(props: { token: AccessToken; onRevoked: () => void; onClose: () => void }) {
  const { token, onRevoked, onClose } = props
  const revoke = useMutation({
    mutationFn: () => revokeAccessToken(token.id),
    onSuccess: () => {
      showToast(`${token.name} revoked`)
      onRevoked()
      onClose()
    },
  })
  return (
    <ConfirmMutation
      title={`Revoke ${token.name}?`}
      action="Revoke token"
      mutation={revoke}
      onCancel={onClose}
      onConfirm={() => revoke.mutate()}
    >
      Scripts that use it stop working at once.
    </ConfirmMutation>
  )
}
