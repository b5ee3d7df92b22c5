import type { KeyDraft } from '../../../../shared/ipc/keys/keys.ts'
import { grantText } from '../../../../shared/text/signing-text.ts'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Identicon } from '../../../kit/icons/identicon.tsx'
import { addressPattern, shorten } from '../../../kit/number.tsx'
import { keysText } from '../../../text/en/keys.en.tsx'
import styles from '../keys.module.css'

function Picture({ address }: { readonly address: string | undefined }) {
  return address === undefined ? null : <Identicon address={address} />
}

/** A sentence in which each address is replaced by the address's picture and short form. */
function Words({ sentence, people }: { readonly sentence: string; readonly people: readonly string[] }) {
  const whole = (part: string) => people.find((address) => shorten(address).toLowerCase() === shorten(part).toLowerCase())
  return (
    <p>
      {sentence.split(addressPattern).map((part, index) =>
        addressPattern.test(part) ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same address may occur in a text twice
          <span className={styles.entity} key={`${index}:${part}`} title={whole(part) ?? part}>
            <Picture address={whole(part)} />
            <code>{shorten(part)}</code>
          </span>
        ) : (
          part
        ),
      )}
    </p>
  )
}

export function May({ title, list, allowed }: { readonly title: string; readonly list: readonly string[]; readonly allowed: boolean }) {
  return (
    <div className={allowed ? undefined : styles.not}>
      <h3>{title}</h3>
      <ul>
        {list.map((entry) => (
          <li key={entry}>
            <Icon name={allowed ? 'check' : 'x'} size={14} />
            {entry}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The content of a grant in words: who may do what, for whom, on which contract, until when. */
export function GrantWords({ grant, people }: { readonly grant: KeyDraft['grant']; readonly people: readonly string[] }) {
  const { sentence, may, mayNot } = grantText(grant)
  return (
    <>
      <div className={styles.words}>
        <Words sentence={sentence} people={people} />
      </div>
      <div className={styles.powers}>
        <May title={keysText.itMay} list={may} allowed />
        <May title={keysText.itMayNot} list={mayNot} allowed={false} />
      </div>
    </>
  )
}
