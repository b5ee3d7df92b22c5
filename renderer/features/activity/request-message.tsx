import { useMemo } from 'react'
import type { Exchange, KeptBody } from '../../../shared/ipc/reads/requests.ts'
import { CopyButton } from '../../kit/copy-button.tsx'
import { cx } from '../../kit/cx.ts'
import panelStyles from '../../kit/layout/panel.module.css'
import textStyles from '../../kit/text.module.css'
import { VisibleText } from '../../kit/visible-text.tsx'
import styles from './activity.module.css'
import { missingText, sizeText } from './request-words.ts'

function Text({ body, of }: { readonly body: KeptBody; readonly of: string }) {
  const laidOut = useMemo(() => prettyJson(body.text ?? ''), [body.text])
  const missing = missingText(body)
  return (
    <>
      <div className={styles.requestHead}>
        <h3>Body</h3>
        <span className={textStyles.muted}>{sizeText(body.bytes)}</span>
        <span className={panelStyles.end}>{body.text === null || body.text === '' ? null : <CopyButton text={laidOut} what={`body of the ${of}`} />}</span>
      </div>
      {body.text === null || body.text === '' ? null : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <section className={cx(styles.listRaw, styles.requestRaw)} tabIndex={0} aria-label={`Body of the ${of}`}>
          <VisibleText text={laidOut} />
        </section>
      )}
      {missing === null ? null : <p className={styles.requestNote}>{missing}</p>}
    </>
  )
}

interface MessageProps {
  readonly of: 'request' | 'answer'
  /** Its first line. */
  readonly line: string
  readonly headers: Exchange['request']['headers']
  readonly body: KeptBody | null
}

/** A request or an answer as it went over the wire, secrets cut out: first line, headers, body. */
export function Message({ of, line, headers, body }: MessageProps) {
  return (
    <>
      <div className={styles.requestWire}>
        <code>
          <VisibleText text={line} />
        </code>
        <dl aria-label={`Headers of the ${of}`}>
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
      {body === null ? <p className={styles.requestNote}>It had no body.</p> : <Text body={body} of={of} />}
    </>
  )
}

/** A string, also one that was cut off; a mark; a run of anything else. Spaces between them are passed over. */
const token = /"(?:[^"\\]|\\[\s\S]?)*"?|[{}[\],:]|[^\s"{}[\],:]+/g
const closing: Readonly<Record<string, string>> = { '{': '}', '[': ']' }

/**
 * JSON in lines, two spaces a level, each value as it came: a number keeps all its digits. Text that was cut off is laid out as far as it
 * goes; what is no JSON object or list stays as it is.
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
