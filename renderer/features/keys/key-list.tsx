import { useState } from 'react'
import type { KeySummary } from '../../../shared/ipc/keys.ts'
import { minute } from '../../../shared/time.ts'
import { failureOf } from '../../ipc/desk-failure.ts'
import { useDeskCommand, useDeskQuery } from '../../ipc/use-desk.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { useCommands } from '../../ui/commands.tsx'
import { ConfirmName } from '../../ui/confirm-name.tsx'
import { Empty } from '../../ui/empty.tsx'
import { FailurePanel } from '../../ui/failure-note.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Input } from '../../ui/input.tsx'
import { Pips } from '../../ui/meter.tsx'
import { useNavigate } from '../../ui/navigation.tsx'
import { useNow } from '../../ui/now.tsx'
import { Page, Panel } from '../../ui/panel.tsx'
import { Segments } from '../../ui/segments.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { useToast } from '../../ui/toast.tsx'
import { KeyNotes, SecretPlaces } from './key-notes.tsx'
import { type Copied, KeyTable } from './key-table.tsx'
import { arrangeKeys, countKeys, type KeyFilter } from './key-view.ts'
import { worthDoing } from './worth-doing.ts'

type Danger = { readonly kind: 'rotate' | 'revoke'; readonly key: KeySummary }

function DangerSheet({ danger, onClose }: { readonly danger: Danger; readonly onClose: () => void }) {
  const toast = useToast()
  const rotate = useDeskCommand('keys.rotate')
  const revoke = useDeskCommand('keys.revoke')
  const { key } = danger
  const input = { keyId: key.id, confirmLabel: key.label }
  if (danger.kind === 'rotate') {
    return (
      <ConfirmName
        title={`Rotate ${key.label}`}
        effect="The service makes a new secret, and the present one stops working at once. Bots that hold it stop until they get the new one. It goes straight into the keychain."
        name={key.label}
        confirmLabel="Rotate secret"
        keepLabel="Keep it"
        busy={rotate.isPending}
        failure={rotate.error === null ? null : failureOf(rotate.error)}
        onClose={onClose}
        onConfirm={() =>
          rotate.mutate(input, {
            onSuccess: (done) => {
              toast({
                tone: done.secret === 'memory' ? 'warn' : 'ok',
                title: `${key.label} has a new secret`,
                text: done.secret === 'memory' ? 'The keychain did not take it. It is kept for this run only.' : 'In the keychain, read back.',
                action: null,
              })
              onClose()
            },
          })
        }
      />
    )
  }
  return (
    <ConfirmName
      title={`Revoke ${key.label}`}
      effect="Bots with this key stop at once and its agent loses its grant. Open positions stay open. This cannot be undone."
      name={key.label}
      confirmLabel="Revoke key"
      keepLabel="Keep it"
      busy={revoke.isPending}
      failure={revoke.error === null ? null : failureOf(revoke.error)}
      onClose={onClose}
      onConfirm={() =>
        revoke.mutate(input, {
          onSuccess: () => {
            toast({ tone: 'ok', title: `${key.label} is revoked`, text: 'Its secret was removed from the keychain.', action: null })
            onClose()
          },
        })
      }
    />
  )
}

/** All keys of the wallet, what each may do, how long it lives and where its secret is. */
export function KeyList({ selected }: { readonly selected: string | null }) {
  const navigate = useNavigate()
  const toast = useToast()
  const list = useDeskQuery('keys.list', {}, { every: minute })
  const orphans = useDeskQuery('keys.orphans', {})
  const draft = useDeskQuery('keys.draft', {})
  const health = useDeskQuery('app.health', {})
  const copy = useDeskCommand('keys.copySecret')
  const use = useDeskCommand('keys.use')
  const store = useDeskCommand('keys.retryStore')
  const copyText = useDeskCommand('app.copyText')
  const [filter, setFilter] = useState<KeyFilter>('all')
  const [typed, setTyped] = useState('')
  const [danger, setDanger] = useState<Danger | null>(null)
  const [copied, setCopied] = useState<Copied | null>(null)
  const now = useNow(minute)
  const keys = list.data?.keys ?? []
  const counts = countKeys(keys, now)
  const advice = worthDoing(keys, now).slice(0, 3)
  const groups = arrangeKeys(keys, filter, typed, now)

  const onCopy = (key: KeySummary) =>
    copy.mutate(
      { keyId: key.id },
      {
        onSuccess: ({ clearsAtMs }) => {
          setCopied({ keyId: key.id, clearsAtMs })
          toast({ tone: 'ok', title: 'Secret copied', text: 'The clipboard clears itself in 30 s.', action: null })
        },
        onError: (error) =>
          toast({
            tone: 'danger',
            title: 'The secret could not be copied',
            text: failureOf(error).kind === 'keychain' ? 'The keychain did not give it. Unlock it and try again.' : 'Try again.',
            action: null,
          }),
      },
    )
  useCommands(
    keys
      .filter((key) => key.status === 'active')
      .map((key) => ({
        id: `rotate-${key.id}`,
        group: 'Keys',
        label: `Rotate ${key.label}`,
        icon: 'rotate' as const,
        run: () => setDanger({ kind: 'rotate', key }),
      })),
  )

  const failure = list.data === undefined && list.error !== null ? failureOf(list.error) : null
  const segment = (value: KeyFilter, word: string) => ({
    value,
    label: (
      <>
        {word}
        <span className="muted">{counts[value]}</span>
      </>
    ),
  })
  return (
    <Page
      title="Keys"
      className="keys-p"
      note={
        list.data === undefined ? undefined : (
          <span className="k-cap">
            <Pips label={`${list.data.active} of ${list.data.limit} active keys`} value={list.data.active} max={list.data.limit} />
            <b>{list.data.active}</b> of {list.data.limit} active
          </span>
        )
      }
      end={
        <Button variant="primary" icon="plus" disabled={failure?.kind === 'sign_in_required'} onClick={() => navigate('keys/new')}>
          {draft.data == null ? 'New key' : 'Go on with the new key'}
        </Button>
      }
    >
      {failure?.kind === 'sign_in_required' || failure?.kind === 'no_wallet' ? (
        <Panel>
          <Empty
            icon="user"
            title={failure.kind === 'no_wallet' ? 'Connect a wallet to see its keys' : 'Sign in to see your keys'}
            actions={
              <Button
                variant="primary"
                icon={failure.kind === 'no_wallet' ? 'phone' : 'user'}
                onClick={() => navigate(failure.kind === 'no_wallet' ? 'connect' : 'sign-in')}
              >
                {failure.kind === 'no_wallet' ? 'Connect wallet' : 'Sign in'}
              </Button>
            }
          >
            Keys belong to a wallet. One free signature proves that it is yours; it sends no transaction and lasts four hours.
          </Empty>
        </Panel>
      ) : failure !== null ? (
        <Panel>
          <FailurePanel failure={failure} onRetry={() => void list.refetch()} retrying={list.isFetching} />
        </Panel>
      ) : (
        <>
          <KeyNotes
            orphans={orphans.data ?? []}
            keys={keys}
            storing={store.isPending}
            storeFailure={store.error === null ? null : failureOf(store.error)}
            onStore={(key) => store.mutate({ keyId: key.id })}
          />
          <section className="panel k-panel" aria-label="List of keys">
            <div className="panel-head k-bar">
              <Segments
                label="Show"
                choices={[segment('all', 'All'), segment('active', 'Active'), segment('ending', 'Ending'), segment('inactive', 'Not active')]}
                value={filter}
                onChange={setFilter}
              />
              <Input
                id="key-filter"
                className="k-find"
                icon="search"
                value={typed}
                onChange={setTyped}
                placeholder="Label, id, address or scope"
                aria-label="Filter keys"
              />
              <span className="end">
                {list.data === undefined ? null : (
                  <span className={list.error === null ? 'muted' : 'warn-t'}>
                    {list.error === null ? 'Read' : 'Stale, read'} <Time ms={list.data.readAtMs} />
                  </span>
                )}
                <IconButton icon="refresh" size="sm" label="Read again" busy={list.isFetching} onClick={() => void list.refetch()} />
              </span>
            </div>
            {list.data === undefined ? (
              <Table label="Keys" className="k-t" busy>
                <SkeletonRows rows={5} columns={7} />
              </Table>
            ) : keys.length === 0 ? (
              <Empty
                icon="key"
                title="No keys yet"
                actions={
                  <Button icon="plus" onClick={() => navigate('keys/new')}>
                    New key
                  </Button>
                }
              >
                A bot-ready key reads your account and trades for you, and cannot withdraw. Its secret goes straight into the system keychain.
              </Empty>
            ) : groups.active.length + groups.inactive.length === 0 ? (
              <Empty icon="search" title="No key fits">
                {typed === '' ? 'No key is in this state.' : 'Change what you typed, or show all keys.'}
              </Empty>
            ) : (
              <KeyTable
                groups={groups}
                selected={selected}
                copied={copied}
                actions={{
                  onCopy,
                  onRotate: (key) => setDanger({ kind: 'rotate', key }),
                  onRevoke: (key) => setDanger({ kind: 'revoke', key }),
                  onUse: (key) => use.mutate({ keyId: key.id }),
                  onStore: (key) => store.mutate({ keyId: key.id }),
                  onCopyId: (key) => copyText.mutate({ text: key.id }),
                }}
              />
            )}
          </section>
          {keys.length === 0 ? null : (
            <div className={advice.length === 0 ? 'k-low alone' : 'k-low'}>
              {advice.length === 0 ? null : (
                <Panel title="Worth doing" count={advice.length}>
                  <ul className="k-todo">
                    {advice.map((one) => (
                      <li key={one.id}>
                        <Icon name={one.icon} />
                        <p>
                          <b className="name">{one.label}</b> {one.text}
                        </p>
                        <Button size="xs" onClick={() => navigate('keys/new')}>
                          Replace
                        </Button>
                      </li>
                    ))}
                  </ul>
                </Panel>
              )}
              <SecretPlaces keys={keys} keychain={health.data?.keychain ?? 'unknown'} />
            </div>
          )}
        </>
      )}
      {danger === null ? null : <DangerSheet danger={danger} onClose={() => setDanger(null)} />}
    </Page>
  )
}
