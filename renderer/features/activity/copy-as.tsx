import { useMemo, useState } from 'react'
import type { RequestRecord } from '../../../shared/ipc/intents/orders.ts'
import type { Exchange } from '../../../shared/ipc/reads/requests.ts'
import { asCurl } from '../../../shared/snippets/as-curl.ts'
import { asPython } from '../../../shared/snippets/as-python.ts'
import { asTypeScript } from '../../../shared/snippets/as-typescript.ts'
import type { SnippetRequest } from '../../../shared/snippets/snippet.ts'
import { CopyButton } from '../../kit/copy-button.tsx'
import { Segments } from '../../kit/layout/segments.tsx'
import { VisibleText } from '../../kit/visible-text.tsx'

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

/** The request as a command or a program, with the name of a variable where the secret was. */
export function CopyAs({ record, exchange, hostUrl }: CopyAsProps) {
  const [language, setLanguage] = useState<Language>('curl')
  const { target, credential, request } = exchange
  const text = useMemo(() => {
    const asked: SnippetRequest = { method: record.method, hostUrl, target, headers: request.headers, credential, body: request.body?.text ?? null }
    return languages[language].write(asked)
  }, [language, record.method, hostUrl, target, credential, request])
  return (
    <>
      <div className="rc-head">
        <Segments label="Language" choices={choices} value={language} onChange={setLanguage} />
        <span className="end">
          <CopyButton text={text} what={`the request as ${languages[language].word}`} words="Copy" size="sm" />
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className="a-raw rc-raw" tabIndex={0} aria-label={`The request as ${languages[language].word}`}>
        <VisibleText text={text} />
      </section>
      <p className="rc-note">
        {credential === 'key' ? (
          <>
            The key is not in it: it is read from <code>SVC_API_KEY</code>, the address from <code>SVC_BASE_URL</code>. <code>svc-desk run</code> sets both.
          </>
        ) : credential === 'session' ? (
          <>
            It needs the bearer of a sign-in in <code>SVC_SESSION</code>. This app gives its own to nobody.
          </>
        ) : (
          'It needs no credential.'
        )}
      </p>
    </>
  )
}
