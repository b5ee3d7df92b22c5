import { useState } from 'react'
import { type VerifierLanguage, verifiers } from '../../../../shared/snippets/verifiers.ts'
import { CopyButton } from '../../../kit/copy-button.tsx'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Link } from '../../../kit/layout/navigation.tsx'
import { Panel } from '../../../kit/layout/panel.tsx'
import { Segments } from '../../../kit/layout/segments.tsx'

const choices = (Object.keys(verifiers) as VerifierLanguage[]).map((value) => ({ value, label: verifiers[value].word }))

/** A verifier for the receiver, to be copied. The secret is not in it. */
export function VerifierPanel() {
  const [language, setLanguage] = useState<VerifierLanguage>('node')
  const { word, text } = verifiers[language]
  return (
    <Panel
      title="Verifier for your receiver"
      end={
        <>
          <Segments label="Language of the verifier" choices={choices} value={language} onChange={setLanguage} />
          <CopyButton text={text} what={`the verifier for ${word}`} words="Copy" size="sm" />
        </>
      }
      padded
      className="wh-verifier"
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className="ins-body" tabIndex={0} aria-label={`The verifier for ${word}`}>
        {text}
      </section>
      <p className="help">
        <Icon name="info" />
        <span>
          Over the raw bytes, in constant time, 300 s of tolerance. That a delivery dated as far ahead is refused too is this app’s own rule. The secret is read
          from <code>SVC_WEBHOOK_SECRET</code>.{' '}
          <Link to="webhooks/inspector" className="link">
            Check a delivery
          </Link>
        </span>
      </p>
    </Panel>
  )
}
