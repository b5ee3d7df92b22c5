import type { ReactNode } from 'react'
import { Icon } from '../kit/icons/icon.tsx'
import textStyles from '../kit/text.module.css'
import { kitText } from '../text/en/kit.en.tsx'
import styles from './parts.module.css'

/** The banner above every page in practice mode. `children` appear at its end. */
export const PracticeNote = ({ children }: { readonly children?: ReactNode }) => (
  <section className={styles.band} aria-label={kitText.practice}>
    <span className={styles.bandTag}>
      <Icon name="flask" />
      {kitText.practice}
    </span>
    <span className={textStyles.cut}>{kitText.practiceHelp}</span>
    {children}
  </section>
)
