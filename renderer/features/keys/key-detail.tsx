import { Fragment, useEffect, useState } from 'react'
import type { Profile } from '../../../shared/ipc/host/profiles.ts'
import type { KeySummary } from '../../../shared/ipc/keys/keys.ts'
import { isLiveKey } from '../../../shared/live-key.ts'
import { runCommand } from '../../../shared/snippets/snippet.ts'
import { auditTitle } from '../../../shared/text/audit-text.ts'
import { minute } from '../../../shared/time.ts'
import { failureOf } from '../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../ipc/use-ipc.ts'
import buttonStyles from '../../kit/button.module.css'
import { Button, IconButton } from '../../kit/button.tsx'
import { Chip } from '../../kit/chip.tsx'
import controlsStyles from '../../kit/controls.module.css'
import { cx } from '../../kit/cx.ts'
import { Icon } from '../../kit/icons/icon.tsx'
import { useCommands } from '../../kit/layout/commands.tsx'
import { Link, useNavigate } from '../../kit/layout/navigation.tsx'
import { Note } from '../../kit/layout/note.tsx'
import panelStyles from '../../kit/layout/panel.module.css'
import { Panel } from '../../kit/layout/panel.tsx'
import { Empty, Loading, Skeleton } from '../../kit/layout/placeholders.tsx'
import tableStyles from '../../kit/layout/table.module.css'
import textStyles from '../../kit/text.module.css'
import { dayText, Time, useNow } from '../../kit/time/time.tsx'
import { auditDetail, auditKinds, OwnCallsSwitch } from '../../parts/audit-parts.tsx'
import { FailureNote, FailurePanel } from '../../parts/failure-note.tsx'
import { SecretOutlets, SecretPlace, useEnvSave } from '../../parts/secret-outlets.tsx'
import { keysText } from '../../text/en/keys.en.tsx'
import { AuthorityMap } from './agents/authority-map.tsx'
import { KeyActionSheet } from './key-action-sheet.tsx'
import styles from './key-detail.module.css'
import { LimitsPanel } from './key-facts.tsx'
import keysStyles from './keys.module.css'
import { DoctorPanel } from './list/doctor-panel.tsx'
import { keyCommands } from './list/key-bar.tsx'

function Status({ status }: { readonly status: KeySummary['status'] }) {
  switch (status) {
    case 'active':
      return (
        <Chip tone="ok" icon="check">
          {keysText.active}
        </Chip>
      )
    case 'expired':
      return (
        <Chip tone="warn" icon="clock">
          {keysText.expired}
        </Chip>
      )
    case 'revoked':
      return <Chip icon="x">{keysText.revoked}</Chip>
    case 'unknown':
      return <Chip>{keysText.statusNotGiven}</Chip>
  }
}

function Waiting() {
  return (
    <Loading label={keysText.readingKey}>
      <Panel title={keysText.keyReach} padded>
        <Skeleton width="100%" height={152} />
      </Panel>
    </Loading>
  )
}

/**
 * One key: what it can reach, where its secret is, whether it works, and its history.
 * `action` names the sheet to open over the page, for example `rotate`; `null` opens none.
 */
export function KeyDetail({ keyId, action }: { readonly keyId: string; readonly action: string | null }) {
  const navigate = useNavigate()
  const list = useIpcQuery('keys.list', {}, { every: minute })
  const profiles = useIpcQuery('profiles.list', {})
  const wallet = useIpcQuery('wallet.shown', {})
  const entry = list.data?.keys.find(({ id }) => id === keyId)
  const profile = profiles.data?.profiles.find(({ id }) => id === profiles.data.activeId)
  const failure = list.data === undefined && list.error !== null ? failureOf(list.error) : null
  const live = entry !== undefined && isLiveKey(entry)
  const open = (name: string) => navigate(`keys/${keyId}/${name}`)
  useCommands(live ? keyCommands(entry, ['extend', 'rotate', 'replace', 'revoke'], open) : [])
  return (
    <div className={cx(panelStyles.page, styles.keyDetailPage)}>
      <div className={panelStyles.pageHead}>
        <span className={panelStyles.crumb}>
          <Link to="keys">{keysText.keys}</Link>
          <Icon name="chevron-right" />
          <h1 className={cx(textStyles.name, textStyles.cut)}>{entry?.label ?? keysText.key}</h1>
        </span>
        {entry === undefined ? null : (
          <>
            <Status status={entry.status} />
            {entry.inUse ? <Chip tone="accent">{keysText.inUseByThisApp}</Chip> : null}
            <span className={textStyles.muted}>
              {entry.neverUsed === true
                ? keysText.neverUsedAtService
                : entry.lastUsedAtMs === null
                  ? keysText.lastUseNotStated
                  : keysText.lastUsedAt(<Time ms={entry.lastUsedAtMs} />)}
            </span>
            {live ? (
              <div className={panelStyles.end}>
                <Button icon="clock" onClick={() => open('extend')}>
                  {keysText.extend}
                </Button>
                <Button icon="rotate" onClick={() => open('rotate')}>
                  {keysText.rotate}
                </Button>
                <Button icon="trash" variant="danger" onClick={() => open('revoke')}>
                  {keysText.revoke}
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
                  {keysText.signIn}
                </Button>
              ) : undefined
            }
          />
        </Panel>
      ) : list.data === undefined ? (
        <Waiting />
      ) : entry === undefined ? (
        <Panel>
          <Empty icon="nokey" title={keysText.keyNotFound} actions={<Button onClick={() => navigate('keys')}>{keysText.allKeys}</Button>}>
            {keysText.keyNotFoundDetail}
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
          <div className={styles.threeColumns}>
            <div className={styles.column}>
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

const most = 60

function AuditTrail({ keyId }: { readonly keyId: string }) {
  const now = useNow(60_000)
  const [ownCalls, setOwnCalls] = useState(false)
  const list = useIpcQuery('audit.list', { keyId, source: 'both', kinds: [], ownCalls, text: '', offset: 0, limit: most }, { keepPrevious: true })
  const refresh = useIpcCommand('audit.refresh')
  const { mutate } = refresh
  useEffect(() => mutate({}), [mutate])
  const rows = list.data?.rows ?? []
  const days = [...Map.groupBy(rows, (row) => (row.atMs === null ? keysText.noTimeGiven : dayText(row.atMs, now)))]
  return (
    <Panel
      title={keysText.auditTrail}
      end={
        <>
          <IconButton icon="refresh" size="xs" label={keysText.refreshServiceLog} busy={refresh.isPending} onClick={() => refresh.mutate({})} />
          <Link to={`activity?tab=audit&key=${keyId}`} className={cx(buttonStyles.button, buttonStyles.xs, buttonStyles.ghost)}>
            {keysText.all}
            <Icon name="chevron-right" size={14} />
          </Link>
        </>
      }
    >
      <OwnCallsSwitch shown={ownCalls} onChange={setOwnCalls} />
      {refresh.error === null ? null : <FailureNote failure={failureOf(refresh.error)} onRetry={() => refresh.mutate({})} />}
      {list.data === undefined ? (
        <Loading label={keysText.readingAuditTrail}>
          <div className={styles.audit}>
            <Skeleton width={180} />
          </div>
        </Loading>
      ) : rows.length === 0 ? (
        <Empty icon="doc" title={keysText.noAuditEntries} level={3} />
      ) : (
        <ul className={cx(styles.audit, textStyles.answer)} aria-label={keysText.auditTrail} aria-busy={list.isPlaceholderData}>
          {days.map(([day, entries]) => (
            <Fragment key={day}>
              <li className={styles.day}>{day}</li>
              {entries.map((row) => (
                <li key={row.id}>
                  <Icon name={auditKinds[row.kind].icon} />
                  <div>
                    <p>
                      {auditTitle(row)}
                      {row.origin === 'elsewhere' ? <Chip tone="warn">{keysText.elsewhere}</Chip> : null}
                    </p>
                    <p className={cx(tableStyles.sub, textStyles.cut)} title={row.requestId ?? undefined}>
                      {auditDetail(row)}
                    </p>
                  </div>
                  <Time ms={row.atMs} form="clock" />
                </li>
              ))}
            </Fragment>
          ))}
        </ul>
      )}
    </Panel>
  )
}

interface SecretPanelProps {
  readonly entry: KeySummary
  readonly profile: Profile | undefined
  readonly onHandover: () => void
  readonly onAdopt: () => void
  readonly onImport: () => void
}

/** Where a key's secret is stored, and the ways to deliver it from the keychain to a program. The secret never reaches this window. */
function SecretPanel({ entry, profile, onHandover, onAdopt, onImport }: SecretPanelProps) {
  const copy = useIpcCommand('keys.copySecret')
  const reveal = useIpcCommand('secrets.reveal')
  const save = useEnvSave((call) => call('secrets.saveEnv', { keyId: entry.id }))
  const store = useIpcCommand('keys.retryStore')
  const here = entry.secret === 'keychain' || entry.secret === 'memory'
  const live = isLiveKey(entry)
  const failed = [copy.error, reveal.error, store.error].find((error) => error !== null)
  const command = runCommand({ profile: profile?.name ?? null, of: { key: entry.label }, words: ['./bot'] })
  return (
    <Panel title={keysText.secret} end={<SecretPlace secret={entry.secret} />} padded className={styles.keyDetailSecret}>
      {here ? (
        <SecretOutlets
          prefix="SVC"
          copy={{ busy: copy.isPending, untilMs: copy.data?.clearsAtMs ?? 0, press: () => copy.mutate({ keyId: entry.id }) }}
          reveal={{ busy: reveal.isPending, untilMs: reveal.data?.closesAtMs ?? 0, press: () => reveal.mutate({ keyId: entry.id }) }}
          save={save}
          onHandover={onHandover}
          command={command}
        />
      ) : (
        <Note
          tone="neutral"
          icon="eye-off"
          title={entry.secret === 'removed' ? keysText.secretRemovedHere : keysText.secretElsewhere}
          end={
            live ? (
              <span className={keysStyles.actions}>
                <Button size="sm" onClick={onImport}>
                  {keysText.importSecret}
                </Button>
                <Button size="sm" onClick={onAdopt}>
                  {keysText.adoptKey}
                </Button>
              </span>
            ) : undefined
          }
        >
          {live ? keysText.importOrAdopt : null}
        </Note>
      )}
      {entry.secret === 'memory' ? (
        <Note
          tone="warn"
          title={keysText.keptInMemory}
          end={
            <Button size="sm" icon="lock" busy={store.isPending} onClick={() => store.mutate({ keyId: entry.id })}>
              {keysText.storeSecret}
            </Button>
          }
        >
          {keysText.keptInMemoryAdvice}
        </Note>
      ) : null}
      {failed == null ? null : <FailureNote failure={failureOf(failed)} />}
      {save.failure === null ? null : <FailureNote failure={save.failure} />}
      <p className={controlsStyles.help}>
        <Icon name="info" />
        <span>{keysText.windowNeverHoldsSecret}</span>
      </p>
    </Panel>
  )
}
