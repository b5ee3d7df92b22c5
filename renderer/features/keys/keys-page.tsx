import { useCallback, useState } from 'react'
import type { RevokeAllState } from '../../../shared/ipc/intents/kill-switch.ts'
import type { KeySummary } from '../../../shared/ipc/keys/keys.ts'
import type { LeakFinding, LeakState } from '../../../shared/ipc/keys/leaks.ts'
import { failureOf } from '../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../ipc/use-ipc.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { Checkbox } from '../../kit/checkbox.tsx'
import { cx } from '../../kit/cx.ts'
import { Icon } from '../../kit/icons/icon.tsx'
import { Link, useNavigate, usePlace } from '../../kit/layout/navigation.tsx'
import panelStyles from '../../kit/layout/panel.module.css'
import { Panel } from '../../kit/layout/panel.tsx'
import { Empty, Loading, Skeleton } from '../../kit/layout/placeholders.tsx'
import textStyles from '../../kit/text.module.css'
import { VisibleText } from '../../kit/visible-text.tsx'
import { FailureNote, FailurePanel } from '../../parts/failure-note.tsx'
import { keysText } from '../../text/en/keys.en.tsx'
import { ImportSheet } from './create/import-sheet.tsx'
import { NewKey } from './create/new-key.tsx'
import { RevokeSheet } from './danger-sheet.tsx'
import { ExpiryPage } from './expiry/expiry-page.tsx'
import { FleetPage } from './fleet/fleet-page.tsx'
import { GatewayPage } from './gateway/gateway-page.tsx'
import { KeySheetOver } from './key-action-sheet.tsx'
import { KeyDetail } from './key-detail.tsx'
import { initialView, type KeyView, underOf, underPlaces } from './key-view.ts'
import keysStyles from './keys.module.css'
import { LeakResult } from './leaks/leak-result.tsx'
import { bytesText } from './leaks/leak-words.ts'
import leaksStyles from './leaks/leaks.module.css'
import { KeyList } from './list/key-list.tsx'
import { RevokeAllChoose } from './revoke-all/revoke-all-choose.tsx'
import { RevokeAllReport } from './revoke-all/revoke-all-report.tsx'

/**
 * The wallet's keys:
 * - `keys/new` creates a key, `keys/import` adds an existing one.
 * - `keys/revoke-all` revokes many, `keys/leaks` searches files, `keys/expiry` shows what expires when.
 * - `keys/gateway` shows the gateway and its bots.
 * - `keys/fleet` shows the fleet plans, which replace many keys.
 * - `keys/<id>` shows one key.
 * - `keys/<id>/extend` opens a sheet over that key; with `?over=list`, over the list.
 */
export function KeysPage() {
  const navigate = useNavigate()
  const { rest, query } = usePlace()
  // This page stores the list's filter, order and grouping, so that the list is unchanged when the user returns from a key.
  const [view, setView] = useState<KeyView>(initialView)
  const onView = useCallback((change: Partial<KeyView>) => setView((before) => ({ ...before, ...change })), [])
  const [first, action] = rest
  if (first === 'new') return <NewKey />
  if (first === 'revoke-all') return <RevokeAllPage />
  if (first === 'leaks') return <LeaksPage />
  if (first === 'gateway') return <GatewayPage at={action ?? null} />
  if (first === 'fleet') return <FleetPage at={action ?? null} />
  const under = action === undefined ? null : underOf(query)
  const isPage = first === undefined || first === 'import' || first === 'expiry'
  if (!isPage && under === null) return <KeyDetail key={first} keyId={first} action={action ?? null} />
  return (
    <>
      {first === 'expiry' || under === 'expiry' ? <ExpiryPage /> : <KeyList view={view} onView={onView} />}
      {first === 'import' ? <ImportSheet onClose={() => navigate('keys')} /> : null}
      {isPage || under === null || action === undefined ? null : (
        <KeySheetOver key={first} keyId={first} action={action} onClose={() => navigate(underPlaces[under])} />
      )}
    </>
  )
}

type Known = Exclude<RevokeAllState, { state: 'idle' }>

/**
 * Revokes many keys: the user chooses the keys and confirms once, then sees each key's progress and a report.
 * Also continues a revocation that was interrupted.
 */
function RevokeAllPage() {
  const revokeAll = useIpcQuery('revokeAll.state', {})
  // Keep the report of a finished revocation on screen until the user leaves the page or starts another revocation.
  const [shownId, setShownId] = useState<string | null>(null)
  const known: Known | null = revokeAll.data === undefined || revokeAll.data.state === 'idle' ? null : revokeAll.data
  const open = known !== null && (known.state !== 'done' || known.id === shownId)
  if (open && known.id !== shownId) setShownId(known.id)
  return (
    <div className={cx(panelStyles.page, keysStyles.revokeAllPage)}>
      <div className={panelStyles.pageHead}>
        <span className={panelStyles.crumb}>
          <Link to="keys">{keysText.keys}</Link>
          <Icon name="chevron-right" />
          <h1>{keysText.revokeKeys}</h1>
        </span>
      </div>
      {revokeAll.isPending ? null : open ? (
        <RevokeAllReport revokeAll={known} onAgain={() => setShownId(null)} />
      ) : (
        <RevokeAllChoose last={known} onStarted={(started) => setShownId(started.id)} onShowLast={() => setShownId(known?.id ?? null)} />
      )}
    </div>
  )
}

const noKeys: readonly KeySummary[] = []
const nothing: readonly LeakFinding[] = []

/** Scans folders on this computer for keys, and lets the user revoke the keys found. */
function LeaksPage() {
  const navigate = useNavigate()
  const leaks = useIpcQuery('leaks.state', {})
  const findings = useIpcQuery('leaks.findings', {})
  const list = useIpcQuery('keys.list', {})
  const [revokes, setRevokes] = useState<string | null>(null)
  const keys = list.data?.keys ?? noKeys
  const entry = keys.find(({ id }) => id === revokes)
  // Opens the key's revoke sheet. If the key list doesn't contain the key, opens the sign-in instead: the list and the revocation need a sign-in.
  const onRevoke = ({ key }: LeakFinding) => {
    if (keys.some(({ id }) => id === key?.id)) setRevokes(key?.id ?? null)
    else navigate('sign-in')
  }
  return (
    <div
      className={leaks.data?.scan == null ? cx(panelStyles.page, leaksStyles.leaksPage, leaksStyles.leakFirst) : cx(panelStyles.page, leaksStyles.leaksPage)}
    >
      <div className={panelStyles.pageHead}>
        <span className={panelStyles.crumb}>
          <Link to="keys">{keysText.keys}</Link>
          <Icon name="chevron-right" />
          <h1>{keysText.leakGuard}</h1>
        </span>
      </div>
      {leaks.data !== undefined ? (
        <>
          <LeakFolders state={leaks.data} />
          {leaks.data.scan === null ? null : (
            <LeakResult scan={leaks.data.scan} limits={leaks.data.limits} findings={findings.data ?? nothing} keys={keys} onRevoke={onRevoke} />
          )}
          <LeakAbout limits={leaks.data.limits} />
        </>
      ) : leaks.error !== null ? (
        <Panel>
          <FailurePanel failure={failureOf(leaks.error)} onRetry={() => void leaks.refetch()} retrying={leaks.isFetching} />
        </Panel>
      ) : (
        <Loading label={keysText.readingFolders}>
          <Panel padded>
            <Skeleton width="100%" height={160} />
          </Panel>
        </Loading>
      )}
      {entry === undefined ? null : <RevokeSheet entry={entry} onClose={() => setRevokes(null)} />}
    </div>
  )
}

function LeakAbout({ limits }: { readonly limits: LeakState['limits'] }) {
  const does = [
    keysText.scanMatchesOwn,
    keysText.scanFindsOthers,
    keysText.scanReadsFiles(bytesText(limits.fileBytes)),
    keysText.scanReadsHistory(bytesText(limits.historyBytes)),
  ]
  const never = [keysText.neverSends, keysText.neverShows, keysText.neverChanges]
  return (
    <Panel title={keysText.howItWorks} padded className={leaksStyles.leakAbout}>
      <ul>
        {does.map((text) => (
          <li key={text}>
            <Icon name="check" size={14} />
            <span>{text}</span>
          </li>
        ))}
      </ul>
      <section aria-label={keysText.whatItNeverDoes}>
        <h3>{keysText.itNever}</h3>
        <ul>
          {never.map((text) => (
            <li key={text}>
              <Icon name="x" size={14} />
              <span>{text}</span>
            </li>
          ))}
        </ul>
      </section>
    </Panel>
  )
}

function LeakFolders({ state: { folders, scan } }: { readonly state: LeakState }) {
  const add = useIpcCommand('leaks.addFolder')
  const drop = useIpcCommand('leaks.dropFolder')
  const start = useIpcCommand('leaks.start')
  const stop = useIpcCommand('leaks.stop')
  const [ignoredToo, setIgnoredToo] = useState(scan?.ignoredToo ?? false)
  const running = scan?.state === 'running'
  const failed = [add.error, start.error, stop.error].find((error) => error !== null)
  const choose = (
    <Button size="sm" {...(folders.length === 0 ? { variant: 'primary' as const } : {})} icon="plus" busy={add.isPending} onClick={() => add.mutate({})}>
      {folders.length === 0 ? keysText.chooseFolder : keysText.addFolder}
    </Button>
  )
  return (
    <Panel
      title={keysText.folders}
      end={folders.length === 0 ? undefined : choose}
      className={leaksStyles.leakWhere}
      foot={
        folders.length === 0 ? undefined : (
          <>
            <Checkbox checked={ignoredToo} disabled={running} onChange={setIgnoredToo}>
              {keysText.includeIgnoredFiles}
            </Checkbox>
            {running ? (
              <Button size="sm" icon="x" busy={stop.isPending} onClick={() => stop.mutate({})}>
                {keysText.stop}
              </Button>
            ) : (
              <Button size="sm" variant="primary" icon="search" busy={start.isPending} onClick={() => start.mutate({ ignoredToo })}>
                {scan === null ? keysText.scan : keysText.scanAgain}
              </Button>
            )}
          </>
        )
      }
    >
      {folders.length === 0 ? (
        <Empty icon="search" title={keysText.findExposedKeys} level={3} actions={choose}>
          {keysText.findExposedKeysDetail}
        </Empty>
      ) : (
        <ul className={leaksStyles.leakFolders} aria-label={keysText.foldersToScan}>
          {folders.map((folder) => (
            <li key={folder}>
              <Icon name="folder" />
              <code className={textStyles.cut} title={folder}>
                <VisibleText text={folder} />
              </code>
              {running ? null : (
                <IconButton
                  icon="x"
                  size="xs"
                  label={keysText.removeFolder(folder)}
                  busy={drop.isPending && drop.variables.folder === folder}
                  onClick={() => drop.mutate({ folder })}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {failed == null ? null : <FailureNote failure={failureOf(failed)} />}
    </Panel>
  )
}
