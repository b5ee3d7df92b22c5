import { formatDecimal } from '../../shared/decimal.ts'

/** What notices say: the system shows them too, while no window may be open. */
interface NoticeWords {
  readonly title: string
  readonly text: string
}

export const secretsFound = (count: number, label: string): NoticeWords => ({
  title: count === 1 ? `The secret of ${label} was found in the keychain` : `The secrets of ${count} keys were found in the keychain`,
  text: 'This computer had lost its note of it, and uses it again.',
})

/** `refused`: before its time was over. */
export const signInEnded = (refused: boolean): NoticeWords => ({
  title: 'Your sign-in has ended',
  text: refused ? 'The service does not take it any more. Trading goes on without it.' : 'Its four hours are over. Trading goes on without it.',
})

export const secretNotStored = (label: string): NoticeWords => ({
  title: `The keychain did not take the secret of ${label}`,
  text: 'It is kept in memory until the app quits. Copy it or store it again.',
})

export const wrongPassphrases = (times: number): NoticeWords => ({
  title: 'Wrong passphrases were given',
  text: `${times} times in a row, before it was unlocked.`,
})

export const webhookNotRecreated = (label: string): NoticeWords => ({
  title: 'The webhook was disabled and not created again',
  text: `Create it anew for ${label}.`,
})

export const receiverTestBroken: NoticeWords = { title: 'The receiver test broke off', text: 'Something in Svc Desk went wrong. Its log says more.' }

/** `names`: some of those that ended or will. */
export const severalEnds = (count: number, allOver: boolean, names: readonly string[]): NoticeWords => ({
  title: allOver ? `${count} keys and grants have ended` : `${count} keys and grants end soon`,
  text: `${names.join('; ')}${count > names.length ? `; and ${count - names.length} more` : ''}.`,
})

export const lowHealth = (value: string, threshold: string): NoticeWords => ({
  title: `Health factor ${formatDecimal(value, { decimals: 2 })}`,
  text: `It is below your ${formatDecimal(threshold)}. Add collateral, or make positions smaller.`,
})

/** `distance` and `threshold` in percent. */
export const nearLiquidation = (position: {
  readonly name: string
  readonly distance: string
  readonly mark: string
  readonly liquidation: string
  readonly threshold: string
}): NoticeWords => ({
  title: `${position.name} is ${formatDecimal(position.distance, { decimals: 1 })} % from liquidation`,
  text: `Mark ${formatDecimal(position.mark)}, liquidation ${formatDecimal(position.liquidation)}. Your threshold is ${formatDecimal(position.threshold)} %.`,
})
