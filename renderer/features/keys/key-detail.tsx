import type { KeySummary } from '../../../shared/ipc/keys/keys.ts'
import { isLiveKey } from '../../../shared/live-key.ts'
import { minute } from '../../../shared/time.ts'
import { failureOf } from '../../ipc/desk-failure.ts'
import { useDeskQuery } from '../../ipc/use-desk.ts'
import { Button } from '../../kit/button.tsx'
import { Chip } from '../../kit/chip.tsx'
import { Icon } from '../../kit/icons/icon.tsx'
import { useCommands } from '../../kit/layout/commands.tsx'
import { Empty } from '../../kit/layout/empty.tsx'
import { Link, useNavigate } from '../../kit/layout/navigation.tsx'
import { Panel } from '../../kit/layout/panel.tsx'
import { Loading, Skeleton } from '../../kit/layout/skeleton.tsx'
import { Time } from '../../kit/time/time.tsx'
import { FailurePanel } from '../../parts/failure-note.tsx'
import { AuthorityMap } from './agents/authority-map.tsx'
import { LimitsPanel } from './agents/limits-panel.tsx'
import { KeyActionSheet } from './key-action-sheet.tsx'
import { AuditTrail } from './list/audit-trail.tsx'
import { DoctorPanel } from './list/doctor-panel.tsx'
import { keyCommands } from './list/key-commands.ts'
import { SecretPanel } from './list/secret-panel.tsx'
import './key-detail.css'

function Status({ status }: { readonly status: KeySummary['status'] }) {
  switch (status) {
    case 'active':
      return (
        <Chip tone="ok" icon="check">
          Active
        </Chip>
      )
    case 'expired':
      return (
        <Chip tone="warn" icon="clock">
          Expired
        </Chip>
      )
    case 'revoked':
      return <Chip icon="x">Revoked</Chip>
    case 'unknown':
      return <Chip>State not said</Chip>
  }
}

function Waiting() {
  return (
    <Loading label="Reading the key">
      <Panel title="What this key can reach" padded>
        <Skeleton width="100%" height={152} />
      </Panel>
    </Loading>
  )
}

/** One key: what it can reach, where its secret is, whether it works, and what happened to it. `action` opens the sheet of that name. */
export function KeyDetail({ keyId, action }: { readonly keyId: string; readonly action: string | null }) {
  const navigate = useNavigate()
  const list = useDeskQuery('keys.list', {}, { every: minute })
  const profiles = useDeskQuery('profiles.list', {})
  const wallet = useDeskQuery('wallet.shown', {})
  const entry = list.data?.keys.find(({ id }) => id === keyId)
  const profile = profiles.data?.profiles.find(({ id }) => id === profiles.data.activeId)
  const failure = list.data === undefined && list.error !== null ? failureOf(list.error) : null
  const live = entry !== undefined && isLiveKey(entry)
  const open = (name: string) => navigate(`keys/${keyId}/${name}`)
  useCommands(live ? keyCommands(entry, ['extend', 'rotate', 'replace', 'revoke'], open) : [])
  return (
    <div className="page kd">
      <div className="page-head">
        <span className="crumb">
          <Link to="keys">Keys</Link>
          <Icon name="chevron-right" />
          <h1 className="name cut">{entry?.label ?? 'Key'}</h1>
        </span>
        {entry === undefined ? null : (
          <>
            <Status status={entry.status} />
            {entry.inUse ? <Chip tone="accent">In use by this app</Chip> : null}
            <span className="muted">
              {entry.lastUsedAtMs === null ? (
                'Never used, as far as the service says'
              ) : (
                <>
                  Last used <Time ms={entry.lastUsedAtMs} />
                </>
              )}
            </span>
            {live ? (
              <div className="end">
                <Button icon="clock" onClick={() => open('extend')}>
                  Extend
                </Button>
                <Button icon="rotate" onClick={() => open('rotate')}>
                  Rotate
                </Button>
                <Button icon="trash" variant="danger" onClick={() => open('revoke')}>
                  Revoke
                </Button>
              </div>
            ) : null}
          </>
        )}
      </div>
      {failure !== null ? (
        <Panel>
          <FailurePanel
            failure={failure}
            onRetry={() => void list.refetch()}
            retrying={list.isFetching}
            actions={
              failure.kind === 'sign_in_required' ? (
                <Button size="sm" variant="primary" icon="user" onClick={() => navigate('sign-in')}>
                  Sign in
                </Button>
              ) : undefined
            }
          />
        </Panel>
      ) : list.data === undefined ? (
        <Waiting />
      ) : entry === undefined ? (
        <Panel>
          <Empty icon="nokey" title="This wallet has no such key" actions={<Button onClick={() => navigate('keys')}>All keys</Button>}>
            It may belong to another wallet, or the service no longer lists it.
          </Empty>
        </Panel>
      ) : (
        <>
          <AuthorityMap
            entry={entry}
            wallet={wallet.data?.address ?? null}
            onGrant={() => open('grant')}
            onBind={() => open('executor')}
            onPay={() => open('payment')}
          />
          <div className="kd-3">
            <div className="col">
              <SecretPanel
                entry={entry}
                profile={profile}
                onHandover={() => open('handover')}
                onAdopt={() => open('rotate')}
                onImport={() => navigate('keys/import')}
              />
              <LimitsPanel entry={entry} onReplace={() => open('replace')} onNote={() => open('note')} />
            </div>
            <DoctorPanel keyId={entry.id} live={live} />
            <AuditTrail keyId={entry.id} />
          </div>
          <KeyActionSheet action={action} entry={entry} onClose={() => navigate(`keys/${keyId}`)} />
        </>
      )}
    </div>
  )
}
