import { useMemo } from 'react'
import { streamOffCode, streamRoute } from '../../../shared/api/reader/answer.ts'
import type { RequestRecord } from '../../../shared/ipc/intents/orders.ts'
import type { Exchange, KeptBody, RequestFilter } from '../../../shared/ipc/reads/requests.ts'
import { CopyButton } from '../../kit/copy-button.tsx'
import { cx } from '../../kit/cx.ts'
import panelStyles from '../../kit/layout/panel.module.css'
import textStyles from '../../kit/text.module.css'
import { VisibleText } from '../../kit/visible-text.tsx'
import { activityText } from '../../text/en/activity.en.tsx'
import styles from './activity.module.css'

const partWords = {
  request: { headers: activityText.requestHeaders, body: activityText.requestBody, bodyCopied: activityText.requestBodyCopied },
  answer: { headers: activityText.responseHeaders, body: activityText.responseBody, bodyCopied: activityText.responseBodyCopied },
} as const

function Text({ body, of }: { readonly body: KeptBody; readonly of: MessageProps['of'] }) {
  const laidOut = useMemo(() => prettyJson(body.text ?? ''), [body.text])
  const missing = missingText(body)
  const words = partWords[of]
  return (
    <>
      <div className={styles.requestHead}>
        <h3>{activityText.body}</h3>
        <span className={textStyles.muted}>{activityText.bytes(body.bytes)}</span>
        <span className={panelStyles.end}>{body.text === null || body.text === '' ? null : <CopyButton text={laidOut} what={words.bodyCopied} />}</span>
      </div>
      {body.text === null || body.text === '' ? null : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <section className={cx(styles.listRaw, styles.requestRaw)} tabIndex={0} aria-label={words.body}>
          <VisibleText text={laidOut} />
        </section>
      )}
      {missing === null ? null : <p className={styles.requestNote}>{missing}</p>}
    </>
  )
}

interface MessageProps {
  readonly of: 'request' | 'answer'
  readonly line: string
  readonly headers: Exchange['request']['headers']
  readonly body: KeptBody | null
}

/** A request or response as sent, with secrets removed: first line, headers, body. */
export function Message({ of, line, headers, body }: MessageProps) {
  return (
    <>
      <div className={styles.requestWire}>
        <code>
          <VisibleText text={line} />
        </code>
        <dl aria-label={partWords[of].headers}>
          {headers.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <VisibleText text={value} />
              </dd>
            </div>
          ))}
        </dl>
      </div>
      {body === null ? <p className={styles.requestNote}>{activityText.noBody}</p> : <Text body={body} of={of} />}
    </>
  )
}

/** Matches a string (even one cut off), a punctuation mark, or a run of other characters. Skips spaces. */
const token = /"(?:[^"\\]|\\[\s\S]?)*"?|[{}[\],:]|[^\s"{}[\],:]+/g
const closing: Readonly<Record<string, string>> = { '{': '}', '[': ']' }

/**
 * Formats JSON with two spaces per level. Keeps every value unchanged, including all digits of numbers. Formats cut-off JSON up to where it ends.
 * Returns text that is not a JSON object or list unchanged.
 */
export function prettyJson(text: string): string {
  if (!/^\s*[{[]/.test(text)) return text
  const tokens = text.match(token) ?? []
  let depth = 0
  let out = ''
  const line = () => `\n${'  '.repeat(depth)}`
  for (const [index, current] of tokens.entries()) {
    const close = closing[current]
    if (close !== undefined) {
      out += current
      if (tokens[index + 1] === close) continue
      depth += 1
      out += line()
    } else if (current === '}' || current === ']') {
      const opened = tokens[index - 1]
      if (opened === undefined || closing[opened] !== current) {
        depth = Math.max(0, depth - 1)
        out += line()
      }
      out += current
    } else if (current === ',') out += `,${line()}`
    else out += current === ':' ? ': ' : current
  }
  return out
}

/** The address of a request's details, by the request's id; `null` leads to the list. */
export const requestPlace = (id: string | null): string => `${id === null ? 'activity' : `activity/${encodeURIComponent(id)}`}?tab=requests`

const outcomes: Readonly<Record<string, string>> = {
  ok: activityText.succeeded,
  connect: activityText.noConnection,
  tls: activityText.connectionNotSecure,
  timeout: activityText.timedOut,
  reset: activityText.connectionCut,
  too_large: activityText.responseTooLarge,
  closing: activityText.appWasClosing,
  redirect: activityText.redirected,
  html: activityText.webPage,
  malformed: activityText.unreadable,
}

/** The outcome of a request: in the app's own words if it has some for this outcome, otherwise the service's code. */
export function outcomeWords({ endpoint, outcome }: Pick<RequestRecord, 'endpoint' | 'outcome'>): string {
  if (endpoint === streamRoute && outcome === streamOffCode) return activityText.streamOff
  if (Object.hasOwn(outcomes, outcome)) return outcomes[outcome] ?? outcome
  return /^http_\d+$/.test(outcome) ? activityText.refusedWithoutCode : outcome
}

export const statusWords: Readonly<Record<RequestFilter['status'], string>> = {
  any: activityText.anyResponse,
  '2': activityText.status2xx,
  '3': activityText.status3xx,
  '4': activityText.status4xx,
  '5': activityText.status5xx,
  none: activityText.noResponse,
}

/** Describes which part of a body is missing; `null` if the body is complete. */
function missingText({ text, cut }: KeptBody): string | null {
  if (text === null) return activityText.bodyNotSearched
  if (cut > 0) return activityText.bodyCut(cut)
  return null
}
