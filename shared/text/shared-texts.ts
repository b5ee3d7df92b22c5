import type { auditEvents, operationNotes } from './audit-text.ts'
import type { deliveryWords } from './delivery-text.ts'
import type { dialogText, errorText, menuText, windowText } from './desktop-text.ts'
import type { expiryWords } from './expiry-text.ts'
import type { handoverWords } from './handover-text.ts'
import type { inputIssueWords } from './input-issue-text.ts'
import type { intentWords } from './intent-text.ts'
import type { killSwitchWords } from './kill-switch-text.ts'
import type { noticeWords } from './notice-text.ts'
import type { contradictionWords, exchangeWords, reasonWords, serviceReasonWords, typedDataWords } from './reason-text.ts'
import type { receiverAlterations, receiverChecks, receiverSent, receiverWhy } from './receiver-test-text.ts'
import type { againstWords, remarkWords } from './remark-text.ts'
import type { challengeCheckWords, challengeProblemWords, grantWords, spendingWords } from './signing-text.ts'
import type { unitWords } from './units-text.ts'

/** Every area of `shared/text`. A language has all of them. */
export interface SharedTexts {
  readonly against: typeof againstWords
  readonly auditEvents: typeof auditEvents
  readonly challengeChecks: typeof challengeCheckWords
  readonly challengeProblems: typeof challengeProblemWords
  readonly contradictions: typeof contradictionWords
  readonly delivery: typeof deliveryWords
  readonly dialogs: typeof dialogText
  readonly errorBox: typeof errorText
  readonly exchangeWords: typeof exchangeWords
  readonly expiry: typeof expiryWords
  readonly grants: typeof grantWords
  readonly handover: typeof handoverWords
  readonly inputIssues: typeof inputIssueWords
  readonly intents: typeof intentWords
  readonly killSwitch: typeof killSwitchWords
  readonly menu: typeof menuText
  readonly notices: typeof noticeWords
  readonly operationNotes: typeof operationNotes
  readonly reasons: typeof reasonWords
  readonly receiverAlterations: typeof receiverAlterations
  readonly receiverChecks: typeof receiverChecks
  readonly receiverSent: typeof receiverSent
  readonly receiverTest: typeof receiverWhy
  readonly remarks: typeof remarkWords
  readonly serviceReasons: typeof serviceReasonWords
  readonly spending: typeof spendingWords
  readonly typedData: typeof typedDataWords
  readonly units: typeof unitWords
  readonly windows: typeof windowText
}
