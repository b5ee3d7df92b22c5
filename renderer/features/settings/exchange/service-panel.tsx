import { useEffect, useRef } from 'react'
import { limits } from '../../../../shared/api/limits.ts'
import { formatCount } from '../../../../shared/decimal.ts'
import type { Output } from '../../../../shared/ipc/contract.ts'
import type { Health } from '../../../../shared/ipc/host/app.ts'
import { minute } from '../../../../shared/time.ts'
import { failureOf } from '../../../ipc/call-failure.ts'
import { useIpcCall, useIpcCommand, useIpcQuery } from '../../../ipc/use-ipc.ts'
import { Button, IconButton } from '../../../kit/button.tsx'
import { Chip, ScopeChips } from '../../../kit/chip.tsx'
import { useNavigate } from '../../../kit/layout/navigation.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import { Panel, Row, Rows } from '../../../kit/layout/panel.tsx'
import { State } from '../../../kit/layout/state.tsx'
import textStyles from '../../../kit/text.module.css'
import { Time } from '../../../kit/time/time.tsx'
import { VisibleText } from '../../../kit/visible-text.tsx'
import { FailureNote } from '../../../parts/failure-note.tsx'
import { HelpButton } from '../../../parts/help/help-link.tsx'
import { ServiceChangeLines } from '../../../parts/line-value.tsx'
import { MoreFields, unknownRows } from '../../../parts/more-fields.tsx'
import { settingsText } from '../../../text/en/settings.en.tsx'
import { profileName, stateLook } from '../../../text/service-state.ts'
import { ConsoleRow } from '../console-key.tsx'
import styles from '../settings.module.css'
import { resultText } from './service-check-detail.tsx'

type Meta = Output<'markets.meta'>

const none = <span className={textStyles.muted}>—</span>

function StateRow({ name, word }: { readonly name: string; readonly word: string | null | undefined }) {
  const { tone, icon, words } = stateLook(word ?? null)
  return (
    <Row name={name}>
      {word == null ? (
        none
      ) : (
        <State tone={tone} icon={icon}>
          <VisibleText text={words} />
        </State>
      )}
    </Row>
  )
}

/** A fact that the service publishes. Shows yes or no as a mark, and any other value unchanged. */
function PublishedFact({ name, value }: { readonly name: string; readonly value: string }) {
  const label = name.replaceAll('_', ' ')
  if (value === 'true' || value === 'false')
    return (
      <Chip tone={value === 'true' ? 'ok' : 'line'} icon={value === 'true' ? 'check' : 'x'} title={`${name}: ${value}`}>
        <VisibleText text={label} />
        <span className={textStyles.screenReaderOnly}> {value === 'true' ? settingsText.yes : settingsText.no}</span>
      </Chip>
    )
  return (
    <Chip tone="line" title={name}>
      <VisibleText text={`${label} ${value}`} />
    </Chip>
  )
}

function PublishedFacts({ fields }: { readonly fields: string | null }) {
  const { rows, leftOut } = unknownRows(fields)
  if (rows.length === 0) return none
  return (
    <span className={styles.settingsChips}>
      {rows.map(({ name, value }) => (
        <span key={name} translate="no">
          <PublishedFact name={name} value={value} />
        </span>
      ))}
      {leftOut === 0 ? null : <span className={textStyles.muted}>{settingsText.moreLeftOut(leftOut)}</span>}
    </span>
  )
}

function Router({ published, pinned }: { readonly published: string | null; readonly pinned: string | null }) {
  if (published === null) return none
  const same = pinned !== null && pinned.toLowerCase() === published.toLowerCase()
  return (
    <>
      <code>{published}</code>
      <State tone={same ? 'ok' : pinned === null ? 'off' : 'danger'} icon={same ? 'check' : pinned === null ? 'unknown' : 'x'}>
        {same ? settingsText.routerTrusted : pinned === null ? settingsText.routerNotTrustedYet : settingsText.routerNotTrusted}
      </State>
    </>
  )
}

function Published({ meta, pinned }: { readonly meta: Meta; readonly pinned: string | null }) {
  return (
    <>
      <Rows ruled className={styles.settingsRows}>
        <Row name={settingsText.apiVersion}>{meta.apiVersion === null ? none : <VisibleText text={meta.apiVersion} />}</Row>
        <Row name={settingsText.schema}>{meta.schema === null ? none : <VisibleText text={meta.schema} />}</Row>
        <Row name={settingsText.chain}>
          {meta.chainId === null ? none : meta.chainId === limits.chainId ? settingsText.baseChain(limits.chainId) : settingsText.otherChain(meta.chainId)}
        </Row>
        <Row name={settingsText.scopes}>{meta.scopes === null ? none : <ScopeChips scopes={meta.scopes} />}</Row>
        <Row name={settingsText.capabilities}>
          <PublishedFacts fields={meta.capabilities} />
        </Row>
        <Row name={settingsText.limits}>
          <PublishedFacts fields={meta.limits} />
        </Row>
        <Row name={settingsText.routerLabel}>
          <Router published={meta.router} pinned={pinned} />
        </Row>
        <Row name={settingsText.collateralToken}>{meta.collateral === null ? none : <code>{meta.collateral}</code>}</Row>
      </Rows>
      <MoreFields className={styles.settingsMore} of="/meta" from="/meta" fields={meta.unknownFields} />
    </>
  )
}

/** The service's current state, and what it publishes about itself (Versioning 3). */
export function ServicePanel() {
  const profiles = useIpcQuery('profiles.list', {})
  const status = useIpcQuery('markets.status', {}, { every: minute / 4 })
  const meta = useIpcQuery('markets.meta', {}, { every: minute })
  const health = useIpcQuery('app.health', {}, { every: 5_000 }).data
  const call = useIpcCall()
  const profile = profiles.data?.profiles.find(({ id }) => id === profiles.data.activeId)
  const said = status.data
  // The two versions are read apart. When the reported version changes, read the published one again, so that both are of the same time.
  const { refetch: readMeta } = meta
  const reported = said === undefined ? null : `${said.apiVersion} ${said.schema}`
  const before = useRef(reported)
  useEffect(() => {
    if (reported === null) return
    if (before.current !== null && before.current !== reported) void readMeta()
    before.current = reported
  }, [reported, readMeta])
  const metaFailure = meta.data === undefined && meta.error !== null ? failureOf(meta.error) : null
  const keyless = metaFailure?.kind === 'api_key_required' || metaFailure?.kind === 'scope_missing' || metaFailure?.kind === 'no_wallet'
  if (profile === undefined) return null
  return (
    <div id="settings-service">
      <Panel
        title={settingsText.service}
        count={profileName(profile)}
        end={
          <>
            {said === undefined ? null : (
              <span className={status.error === null ? textStyles.muted : textStyles.warn}>
                {(status.error === null ? settingsText.readAt : settingsText.staleReadAt)(<Time ms={said.readAtMs} />)}
              </span>
            )}
            <IconButton
              icon="refresh"
              size="xs"
              label={settingsText.refreshServiceStatus}
              busy={status.isFetching}
              onClick={() => {
                void status.refetch()
                void meta.refetch()
                // This call also makes the app read again which order settings the exchange accepts, and which service changes the user must accept before
                // the next trade.
                void call('service.offers', { again: true })
              }}
            />
            <HelpButton topic="settings/service" />
          </>
        }
      >
        {said === undefined && status.error !== null ? (
          <div className={styles.settingsNote}>
            <FailureNote failure={failureOf(status.error)} />
          </div>
        ) : null}
        <Rows ruled className={styles.settingsRows}>
          <HostStates hosts={health?.hosts ?? []} />
          <ConsoleRow />
          <StreamRow stream={health?.stream ?? null} />
          <StateRow name={settingsText.api} word={said?.api} />
          <StateRow name={settingsText.network} word={said?.network} />
          <StateRow name={settingsText.marketEngine} word={said?.engine} />
          <Row name={settingsText.newestBlock}>{said?.blockNumber == null ? none : formatCount(said.blockNumber)}</Row>
          <Row name={settingsText.reportedVersion}>
            {said === undefined || (said.apiVersion === null && said.schema === null) ? (
              <span className={textStyles.muted}>{said?.source === 'public' ? settingsText.versionNeedsKey : '—'}</span>
            ) : (
              <>
                <VisibleText text={[said.apiVersion, said.schema].filter((part) => part !== null).join(', ')} />
                {said.drift ? (
                  <State tone="warn" icon="warn">
                    {settingsText.versionUnexpected}
                  </State>
                ) : (
                  <State tone="ok" icon="check">
                    {settingsText.asDocumented}
                  </State>
                )}
              </>
            )}
          </Row>
        </Rows>
        <LastCheck />
        <ServiceChangePart />
        <MoreFields className={styles.settingsMore} of="/status" from="/status" fields={said?.unknownFields ?? null} />
        <section className={styles.settingsPart} aria-labelledby="set-published">
          <h3 id="set-published">{settingsText.publishedByService}</h3>
          {meta.data !== undefined ? (
            <Published meta={meta.data} pinned={profile.pinnedRouter} />
          ) : keyless ? (
            <p className={textStyles.muted}>{settingsText.publishedNeedsKey}</p>
          ) : metaFailure !== null ? (
            <FailureNote failure={metaFailure} />
          ) : (
            <p className={textStyles.muted}>{settingsText.reading}</p>
          )}
        </section>
      </Panel>
    </div>
  )
}

/** Shows how the service's published data has changed, and asks the user whether to trade anyway (GEN-09). */
function ServiceChangePart() {
  const { data, refetch } = useIpcQuery('service.drift', {})
  const agree = useIpcCommand('service.acceptChange')
  if (data === undefined || data.drifts.length === 0) return null
  return (
    <div className={styles.settingsNote}>
      <Note tone={data.agreed ? 'neutral' : 'warn'} icon="warn" title={settingsText.serviceChanged}>
        <p>
          <ServiceChangeLines drifts={data.drifts} />
        </p>
        {data.agreed ? (
          <p>{settingsText.tradingAnyway}</p>
        ) : (
          <Button size="sm" busy={agree.isPending} onClick={() => agree.mutate({ drifts: data.drifts }, { onSettled: () => void refetch() })}>
            {settingsText.tradeAnyway}
          </Button>
        )}
      </Note>
    </div>
  )
}

const offers = { first: settingsText.checkBeforeTrading, drift: settingsText.responsesChanged } as const

/** The last result of the service check in one line. If there is a reason to run the check again, shows this reason too. */
function LastCheck() {
  const { data } = useIpcQuery('serviceCheck.state', {})
  const navigate = useNavigate()
  if (data === undefined) return null
  const { endedAtMs, offer } = data
  return (
    <Rows ruled className={styles.settingsRows}>
      <Row name={settingsText.serviceCheck}>
        <span>
          {resultText(data)} {endedAtMs === null ? null : settingsText.checkedAt(<Time ms={endedAtMs} />)}
        </span>
        {offer === null ? null : (
          <State tone={offer === 'drift' ? 'warn' : 'off'} icon={offer === 'drift' ? 'warn' : 'search'}>
            {offers[offer]}
          </State>
        )}
        <Button size="xs" onClick={() => navigate('settings/check')}>
          {data.rows.length === 0 ? settingsText.goToCheck : settingsText.seeReport}
        </Button>
      </Row>
    </Rows>
  )
}

type Host = Health['hosts'][number]

const looks = {
  up: { tone: 'ok', icon: 'check', words: settingsText.responding },
  down: { tone: 'danger', icon: 'x', words: settingsText.notResponding },
  unknown: { tone: 'off', icon: 'unknown', words: settingsText.notCheckedYet },
} as const

/** The state of each host of the service, and which host answered last. */
function HostStates({ hosts }: { readonly hosts: readonly Host[] }) {
  return hosts.map(({ which, host, state, answering }) => {
    const { tone, icon, words } = looks[state]
    return (
      <Row key={which} name={which === 'first' ? settingsText.host : settingsText.secondHostLabel}>
        <span className={styles.settingsHost}>
          <code>{host}</code>
          <State tone={tone} icon={icon}>
            {words}
          </State>
          {answering && hosts.length > 1 ? <span className={textStyles.muted}>{settingsText.respondedLast}</span> : null}
        </span>
      </Row>
    )
  })
}

/** Whether the app receives account changes through the service's stream or by polling. */
function StreamRow({ stream }: { readonly stream: Health['stream'] }) {
  if (stream === null) return null
  if (stream.state === 'live')
    return (
      <Row name={settingsText.accountStream}>
        <State tone="ok" icon="check">
          {stream.lastEventAtMs === null ? settingsText.liveStream : settingsText.liveLastEvent(<Time ms={stream.lastEventAtMs} />)}
        </State>
      </Row>
    )
  return (
    <Row name={settingsText.accountStream}>
      <State tone="off" icon="refresh">
        {stream.state === 'off' ? settingsText.streamNeedsKey : settingsText.streamMissing}
      </State>
    </Row>
  )
}
