import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { endedAsMeant } from '../../../shared/api/reader/answer.ts'
import { formatCount } from '../../../shared/decimal.ts'
import type { Output } from '../../../shared/ipc/contract.ts'
import type { RequestRecord } from '../../../shared/ipc/intents/orders.ts'
import type { Exchange } from '../../../shared/ipc/reads/requests.ts'
import { asCurl, asPython, asTypeScript, type SnippetRequest } from '../../../shared/snippets/snippet.ts'
import { failureOf } from '../../ipc/call-failure.ts'
import { useIpcQuery } from '../../ipc/use-ipc.ts'
import { IconButton } from '../../kit/button.tsx'
import { Chip } from '../../kit/chip.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { cx } from '../../kit/cx.ts'
import { pressed } from '../../kit/key-bindings.ts'
import { Link } from '../../kit/layout/navigation.tsx'
import { Note } from '../../kit/layout/note.tsx'
import panelStyles from '../../kit/layout/panel.module.css'
import { Row, Rows } from '../../kit/layout/panel.tsx'
import { Loading, Skeleton } from '../../kit/layout/placeholders.tsx'
import { Segments, TabPanel, Tabs } from '../../kit/layout/tabs.tsx'
import textStyles from '../../kit/text.module.css'
import { Time } from '../../kit/time/time.tsx'
import { VisibleText } from '../../kit/visible-text.tsx'
import { FailurePanel } from '../../parts/failure-note.tsx'
import { activityText } from '../../text/en/activity.en.tsx'
import styles from './activity.module.css'
import { requestTone, shortPath } from './intent-timeline.ts'
import { Message, outcomeWords, requestPlace } from './request-message.tsx'

type Found = Output<'requests.get'>
type Tab = 'answer' | 'request' | 'copy'

/** The list of attempts of the same call, oldest first. */
function Tries({ tries, id }: { readonly tries: readonly RequestRecord[]; readonly id: string }) {
  return (
    <ol className={styles.requestTries} aria-label={activityText.attemptsOfRequest}>
      {tries.map((one) => (
        <li key={one.id}>
          <Link to={requestPlace(one.id)} aria-current={one.id === id ? 'true' : undefined}>
            {activityText.attemptNumber(one.attempt)} <Chip tone={requestTone(one)}>{one.status ?? activityText.noStatus}</Chip>{' '}
            <span className={textStyles.muted}>{activityText.milliseconds(formatCount(one.ms))}</span>
          </Link>
        </li>
      ))}
    </ol>
  )
}

const Id = ({ id, what }: { readonly id: string; readonly what: string }) => (
  <span className={styles.id}>
    <code>{id}</code>
    <CopyButton text={id} what={what} />
  </span>
)

function Facts({ record, exchange }: Pick<Found, 'record' | 'exchange'>) {
  const key = exchange?.key ?? null
  return (
    <Rows className={styles.requestFacts}>
      <Row name={activityText.outcome}>{outcomeWords(record)}</Row>
      <Row name={activityText.sent}>
        <Time ms={record.atMs} form="clock" /> <span className={textStyles.muted}>{activityText.tookMilliseconds(formatCount(record.ms))}</span>
      </Row>
      <Row name={activityText.host}>
        {record.host === null ? (
          <span className={textStyles.muted}>—</span>
        ) : (
          <>
            <code>{record.host.name}</code> {record.host.second ? <Chip tone="line">{activityText.secondHost}</Chip> : null}
          </>
        )}
      </Row>
      <Row name={activityText.requestId}>
        {record.requestId === null ? <span className={textStyles.muted}>—</span> : <Id id={record.requestId} what={activityText.requestIdCopied} />}
      </Row>
      {record.requestId === record.id ? null : (
        <Row name={activityText.idSent}>
          <Id id={record.id} what={activityText.idSentCopied} />
        </Row>
      )}
      {exchange === null ? null : (
        <Row name={activityText.authorizedBy}>
          {exchange.credential === 'none'
            ? activityText.noCredential
            : exchange.credential === 'session'
              ? activityText.yourSession
              : key === null
                ? activityText.someKey
                : activityText.namedKey(
                    <Link to={`keys/${key.id}`} className={cx(textStyles.link, textStyles.name)}>
                      {key.label ?? key.id}
                    </Link>,
                  )}
        </Row>
      )}
      {record.intentRef === null ? null : (
        <Row name={activityText.order}>
          <Link to={`activity/${record.intentRef}`} className={textStyles.link}>
            {activityText.openOrder}
          </Link>
        </Row>
      )}
    </Rows>
  )
}

function Gone({ record }: { readonly record: RequestRecord }) {
  const read = record.method === 'GET' && endedAsMeant(record)
  return (
    <div className={styles.requestGone}>
      <Note icon="info" title={activityText.contentGone}>
        {read ? activityText.readContentGone : activityText.changeContentGone}
      </Note>
    </div>
  )
}

function Body({ found: { record, tries, exchange, hostUrl } }: { readonly found: Found }) {
  const [tab, setTab] = useState<Tab>('answer')
  return (
    <div className={styles.detailScroll}>
      {tries.length > 1 ? <Tries tries={tries} id={record.id} /> : null}
      <Facts record={record} exchange={exchange} />
      {exchange === null ? (
        <Gone record={record} />
      ) : (
        <>
          <div className={styles.requestTabs}>
            <Tabs
              id="request"
              label={activityText.requestParts}
              tabs={[
                { value: 'answer', label: activityText.response },
                { value: 'request', label: activityText.request },
                { value: 'copy', label: activityText.copyAs },
              ]}
              value={tab}
              onChange={setTab}
            />
          </div>
          <TabPanel id="request" value={tab} className={styles.requestPanel}>
            {tab === 'copy' ? (
              <CopyAs record={record} exchange={exchange} hostUrl={hostUrl} />
            ) : tab === 'request' ? (
              <Message of="request" line={`${record.method} ${exchange.target}`} {...exchange.request} />
            ) : exchange.answer === null ? (
              <Note tone="warn" icon="unknown" title={activityText.noResponseCame}>
                {activityText.outcomeAfter(outcomeWords(record), formatCount(record.ms))}
              </Note>
            ) : (
              <Message of="answer" line={record.status === null ? activityText.statusUnknown : activityText.statusLine(record.status)} {...exchange.answer} />
            )}
          </TabPanel>
        </>
      )}
    </div>
  )
}

/** One request: what was sent and returned, its other attempts, and code to repeat it outside the app. Escape closes the panel. */
export function RequestDetail({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const found = useIpcQuery('requests.get', { id })
  const panel = useRef<HTMLElement>(null)
  const leave = useRef(onClose)
  useLayoutEffect(() => {
    leave.current = onClose
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each request that is opened has the focus
  useLayoutEffect(() => panel.current?.focus(), [id])
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      // If a dialog or menu is open, Escape closes that first.
      if (pressed(event, 'escape') === null || event.defaultPrevented || document.querySelector('dialog[open], :popover-open') !== null) return
      event.preventDefault()
      leave.current()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  const record = found.data?.record
  return (
    <section className={cx(panelStyles.panel, styles.detail, styles.requestDetail)} aria-label={activityText.request} ref={panel} tabIndex={-1}>
      <header>
        <div className={styles.requestTitle}>
          <h2 title={record?.path}>
            {record === undefined ? (
              activityText.request
            ) : (
              <code>
                <span className={textStyles.muted}>{record.method}</span> {shortPath(record.path)}
              </code>
            )}
          </h2>
          {record === undefined ? null : <p className={cx(textStyles.muted, textStyles.cut)}>{record.path}</p>}
        </div>
        <span className={panelStyles.end}>
          {record === undefined ? null : <Chip tone={requestTone(record)}>{record.status ?? activityText.noResponse}</Chip>}
          <IconButton icon="x" label={activityText.close} onClick={onClose} />
        </span>
      </header>
      {found.data !== undefined ? (
        <Body found={found.data} />
      ) : found.error !== null ? (
        <FailurePanel failure={failureOf(found.error)} onRetry={() => void found.refetch()} retrying={found.isFetching} level={3} />
      ) : (
        <Loading label={activityText.readingRequest}>
          <div className={styles.requestFacts}>
            <Skeleton width="100%" />
          </div>
        </Loading>
      )}
    </section>
  )
}

const languages = {
  curl: { word: 'curl', write: asCurl },
  python: { word: 'Python', write: asPython },
  typescript: { word: 'TypeScript', write: asTypeScript },
} as const
type Language = keyof typeof languages

const choices: readonly { readonly value: Language; readonly label: string }[] = [
  { value: 'curl', label: languages.curl.word },
  { value: 'python', label: languages.python.word },
  { value: 'typescript', label: languages.typescript.word },
]

interface CopyAsProps {
  readonly record: RequestRecord
  readonly exchange: Exchange
  readonly hostUrl: string
}

/** Copies the request as a command or a program, with a variable name in place of the secret. */
function CopyAs({ record, exchange, hostUrl }: CopyAsProps) {
  const [language, setLanguage] = useState<Language>('curl')
  const { target, credential, request } = exchange
  const text = useMemo(() => {
    const asked: SnippetRequest = { method: record.method, hostUrl, target, headers: request.headers, credential, body: request.body?.text ?? null }
    return languages[language].write(asked)
  }, [language, record.method, hostUrl, target, credential, request])
  return (
    <>
      <div className={styles.requestHead}>
        <Segments label={activityText.language} choices={choices} value={language} onChange={setLanguage} />
        <span className={panelStyles.end}>
          <CopyButton text={text} what={activityText.snippetCopied(languages[language].word)} words={activityText.copy} size="sm" />
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className={cx(styles.listRaw, styles.requestRaw)} tabIndex={0} aria-label={activityText.snippet(languages[language].word)}>
        <VisibleText text={text} />
      </section>
      <p className={styles.requestNote}>
        {credential === 'key'
          ? activityText.keyNotIncluded(<code>SVC_API_KEY</code>, <code>SVC_BASE_URL</code>, <code>svc-desk run</code>)
          : credential === 'session'
            ? activityText.sessionNeeded(<code>SVC_SESSION</code>)
            : activityText.noCredentialNeeded}
      </p>
    </>
  )
}
