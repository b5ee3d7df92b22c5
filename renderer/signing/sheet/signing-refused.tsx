import type { RefObject } from 'react'
import { comparisonText, lineName, lineValueText } from '../../../shared/text/comparison-text.ts'
import { remarkText } from '../../../shared/text/intent-text.ts'
import { Button } from '../../kit/button.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { cx } from '../../kit/cx.ts'
import { SheetFoot } from '../../kit/overlay/sheet.tsx'
import textStyles from '../../kit/text.module.css'
import { AddressText } from '../../parts/line-value.tsx'
import { signingText } from '../../text/en/signing.en.tsx'
import { ComparisonLines } from '../parts/comparison-lines.tsx'
import { RouterEvidence, speaksAgainst } from '../parts/router-evidence.tsx'
import styles from '../parts/signing.module.css'
import type { SigningMessage } from '../parts/signing-message.ts'

interface SigningRefusedProps {
  readonly message: SigningMessage
  readonly focus: RefObject<HTMLButtonElement | null>
  readonly onOpenActivity?: () => void
  readonly onClose: () => void
}

/** Shown if a signing rule is broken. The app sends nothing to the wallet, and the user cannot override this. */
export function SigningRefused({ message, focus, onOpenActivity, onClose }: SigningRefusedProps) {
  const { comparison } = message
  const against = message.contracts.find(speaksAgainst)
  const report = JSON.stringify(
    {
      intent: message.intentId,
      request: message.requestId,
      sentence: comparisonText(comparison),
      layout: comparison.formatHash,
      digest: comparison.digest,
      lines: comparison.lines.map(({ asked, signed, remark, ...line }) => ({
        ...{ ...line, name: lineName(line), remark: remarkText(remark) },
        ...{ asked: asked && lineValueText(asked), signed: signed && lineValueText(signed) },
      })),
      contracts: message.contracts,
      message: comparison.raw,
    },
    null,
    2,
  )
  return (
    <>
      <ComparisonLines comparison={comparison} sends={message.transaction !== null} />
      {against === undefined ? null : (
        <section className={styles.signingFound} aria-labelledby="sign-found">
          <h3 id="sign-found">{signingText.contractFindings}</h3>
          <RouterEvidence router={against.check} what={against.what} />
        </section>
      )}
      <div className={styles.signingWhy}>
        <div>
          <h3>{signingText.whatHappened}</h3>
          <p>
            <AddressText
              text={comparisonText(comparison) ?? (message.transaction === null ? signingText.messageDiffers : signingText.transactionDiffers)}
              picture={false}
            />
          </p>
        </div>
        <div>
          <h3>{signingText.whatItMeans}</h3>
          <p>{signingText.nothingChanged}</p>
        </div>
        <div>
          <h3>{signingText.whatToDo}</h3>
          <p>{signingText.refusedHelp}</p>
        </div>
      </div>
      <SheetFoot
        verdict={
          <p className={cx(styles.signingVerdict, styles.small)}>
            {message.requestId === null ? null : (
              <>
                <span className={textStyles.muted}>{signingText.request}</span> <code>{message.requestId}</code>
                <CopyButton text={message.requestId} what={signingText.requestId} />
              </>
            )}
            {message.intentId === null ? null : (
              <>
                <span className={textStyles.muted}>{signingText.intent}</span> <code>{message.intentId}</code>
              </>
            )}
          </p>
        }
      >
        <CopyButton text={report} what={signingText.report} words={signingText.copyReport} icon="doc" size="lg" />
        {onOpenActivity === undefined ? null : (
          <Button size="lg" icon="activity" onClick={onOpenActivity}>
            {signingText.openInActivity}
          </Button>
        )}
        <Button ref={focus} size="lg" variant="primary" onClick={onClose}>
          {signingText.close}
        </Button>
      </SheetFoot>
    </>
  )
}
