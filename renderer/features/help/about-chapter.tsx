import { useEffect, useId, useState } from 'react'
import { redactText } from '../../../shared/api/redact.ts'
import type { Output } from '../../../shared/ipc/contract.ts'
import { useIpcQuery } from '../../ipc/use-ipc.ts'
import { CopyButton } from '../../kit/copy-button.tsx'
import { Icon } from '../../kit/icons/icon.tsx'
import { Input } from '../../kit/input.tsx'
import { Link } from '../../kit/layout/navigation.tsx'
import { Note } from '../../kit/layout/note.tsx'
import { Row, Rows } from '../../kit/layout/panel.tsx'
import { Loading, Skeleton } from '../../kit/layout/placeholders.tsx'
import textStyles from '../../kit/text.module.css'
import { useNow } from '../../kit/time/time.tsx'
import { helpText } from '../../text/en/help.en.tsx'
import styles from './help.module.css'

/** Constants that the build sets: the commit, and the address for problem reports (from package.json). */
declare const __COMMIT__: string | null
declare const __REPORT_TO__: string | null

/** `help/about`: this build, a problem report, and the licences of the packages. `help/about/licences` scrolls to that section. */
export function AboutChapter({ part }: { readonly part: string }) {
  const id = useId()
  useEffect(() => {
    const section = document.getElementById(`${id}-${part}`)
    section?.scrollIntoView({ block: 'start' })
    section?.querySelector('h3')?.focus({ preventScroll: true })
  }, [id, part])
  const info = useIpcQuery('app.info', {}).data
  return (
    <div className={styles.about}>
      <section id={`${id}-`}>
        <h2>{helpText.about}</h2>
        <Rows ruled>
          <Row name={helpText.version}>
            <span translate="no">{info?.version ?? '—'}</span>
          </Row>
          <Row name={helpText.commit}>{__COMMIT__ === null ? helpText.commitUnknown : <code>{__COMMIT__}</code>}</Row>
          <Row name={helpText.system}>
            <span translate="no">{info?.platform ?? '—'}</span>
          </Row>
          <Row name={helpText.runsIn}>{info === undefined ? '—' : info.host === 'electron' ? helpText.electron : helpText.chromium}</Row>
        </Rows>
      </section>
      <section id={`${id}-report`}>
        <h3 tabIndex={-1}>{helpText.reportProblem}</h3>
        <Report />
      </section>
      <section id={`${id}-licences`}>
        <h3 tabIndex={-1}>{helpText.licences}</h3>
        <Licences />
      </section>
    </div>
  )
}

function Report() {
  const info = useIpcQuery('app.info', {}).data
  const health = useIpcQuery('app.health', {}).data
  const status = useIpcQuery('markets.status', {}).data
  const offsetMs = useIpcQuery('app.clock', {}).data?.offsetMs ?? null
  const profiles = useIpcQuery('profiles.list', {}).data
  const failures = useIpcQuery('requests.list', { kind: 'failures', status: 'any', text: '', upTo: null, offset: 0, limit: mostFailures }).data?.rows ?? []
  const nowMs = useNow(60_000)
  const kind = profiles?.profiles.find(({ id }) => id === profiles.activeId)?.kind ?? null
  const text = problemReport({ info, health, status, offsetMs, kind, failures, commit: __COMMIT__, agent: navigator.userAgent, nowMs })
  return (
    <>
      <p>{helpText.reportWhat}</p>
      <section className={styles.report} aria-label={helpText.reportSummary}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll by keys, too */}
        <pre tabIndex={0}>{text}</pre>
        <CopyButton text={text} what={helpText.reportSummary} words={helpText.copySummary} />
      </section>
      <p>{helpText.reportLeavesOut}</p>
      <p>
        {__REPORT_TO__ === null ? (
          helpText.reportNowhere
        ) : (
          <>
            {helpText.reportTo(<code>{__REPORT_TO__}</code>)} <CopyButton text={__REPORT_TO__} what={helpText.reportAddress} />
          </>
        )}
      </p>
      <p>
        <Link to="help/security/report-a-vulnerability" className={textStyles.link}>
          {helpText.securityChapter}
        </Link>
      </p>
    </>
  )
}

/** A package's licence as `build/scripts/supply/write-notices.ts` writes it to `licences.js` beside the page. */
interface Licence {
  readonly name: string
  readonly version: string | null
  readonly licence: string
  readonly text: string | null
}

async function loadLicences(): Promise<readonly Licence[]> {
  // Import at runtime: the build writes this file after the page, because only then does it know which packages the page contains.
  const { licences } = (await import(/* @vite-ignore */ new URL('licences.js', document.baseURI).href)) as { licences: readonly Licence[] }
  return licences
}

function Licences() {
  const [licences, setLicences] = useState<readonly Licence[] | 'loading' | 'missing'>('loading')
  const [typed, setTyped] = useState('')
  useEffect(() => {
    loadLicences().then(setLicences, () => setLicences('missing'))
  }, [])
  if (licences === 'missing') return <Note>{helpText.licencesMissing}</Note>
  if (licences === 'loading')
    return (
      <Loading label={helpText.loadingLicences}>
        <Skeleton width={240} height={20} />
      </Loading>
    )
  const wanted = typed.trim().toLowerCase()
  const found = licences.filter(({ name, licence }) => `${name} ${licence}`.toLowerCase().includes(wanted))
  return (
    <>
      <p>{helpText.licencesLead(licences.filter(({ name }) => name !== 'svc-desk').length)}</p>
      <Input
        id="licence-search"
        icon="search"
        aria-label={helpText.findLicence}
        placeholder={helpText.findLicence}
        value={typed}
        onChange={setTyped}
        className={styles.licenceSearch}
      />
      {found.length === 0 ? <p className={textStyles.muted}>{helpText.noLicenceFound}</p> : null}
      <ul className={styles.licences} aria-label={helpText.licences} translate="no">
        {found.map((licence) => (
          <li key={`${licence.name}@${licence.version}`}>
            <LicenceText {...licence} />
          </li>
        ))}
      </ul>
    </>
  )
}

function LicenceText({ name, version, licence, text }: Licence) {
  const [open, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Icon name="chevron-right" />
        <b>{name === 'svc-desk' ? helpText.ownLicence : name}</b> <span className={textStyles.muted}>{version}</span>
        <span className={styles.licence}>{licence}</span>
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long texts scroll by keys, too */}
      {open ? <pre tabIndex={0}>{text ?? helpText.noLicenceText}</pre> : null}
    </details>
  )
}

export interface ReportFacts {
  readonly info: Output<'app.info'> | undefined
  readonly health: Output<'app.health'> | undefined
  /** The service's version; absent if the app has not read the service's status, or has no key that may read it. */
  readonly status: Pick<Output<'markets.status'>, 'apiVersion' | 'schema'> | undefined
  /** How far the exchange's clock is ahead of this computer's, in milliseconds. */
  readonly offsetMs: number | null
  readonly kind: 'practice' | 'live' | null
  readonly failures: readonly Pick<Output<'requests.list'>['rows'][number], 'atMs' | 'endpoint' | 'status' | 'outcome' | 'requestId'>[]
  readonly commit: string | null
  /** The value of `navigator.userAgent`. */
  readonly agent: string
  readonly nowMs: number
}

const mostFailures = 10

/**
 * Returns a text from the service if it looks like a code or a version. A sentence or a long text becomes `?`, because it may contain private data.
 */
const word = (text: string | null | undefined): string => (text != null && /^[\w.:+/ -]{1,60}$/.test(text) ? text : '?')

/**
 * Writes a problem report, in English regardless of the app's language. The report contains no hosts, wallets or response bodies.
 * As a last step, redacts everything that looks like a secret, an address or a hash, even in texts that should contain none.
 */
export function problemReport({ info, health, status, offsetMs, kind, failures, commit, agent, nowMs }: ReportFacts): string {
  const engine = /\b(?:Chrome|Electron)\/[\d.]+/g
  const lines = [
    `Svc Desk ${word(info?.version)}, commit ${commit ?? 'unknown'}`,
    `system: ${word(info?.platform)}, ${word(info?.host)}, ${agent.match(engine)?.join(', ') ?? '?'}`,
    `time: ${new Date(nowMs).toISOString()}, exchange clock ${offsetMs === null ? '?' : `${Math.round(offsetMs)} ms ahead`}`,
    `profile: ${kind ?? 'none'}`,
    `service: ${word(health?.service)}, API ${word(status?.apiVersion)}, schema ${word(status?.schema)}, stream ${word(health?.stream?.state ?? 'none')}`,
    `hosts: ${health?.hosts.map(({ which, state, answering }) => `${which} ${state}${answering ? ' (answering)' : ''}`).join(', ') || 'none'}`,
    `keychain: ${word(health?.keychain)}, journal: ${word(health?.journal)}`,
    failures.length === 0 ? 'failed requests: none' : 'failed requests, newest first:',
    ...failures
      .slice(0, mostFailures)
      .map(
        ({ atMs, endpoint, status: code, outcome, requestId }) =>
          `- ${new Date(atMs).toISOString()} ${word(endpoint.replace(/[{}]/g, ''))} ${code ?? 'no answer'} ${word(outcome)} request ${word(requestId)}`,
      ),
  ]
  return redactText(lines.join('\n')).replace(/(?:0x)?[0-9a-f]{32,}/gi, '[hex]')
}
