import type { ReactNode } from 'react'
import { Icon } from '../kit/icons/icon.tsx'
import textStyles from '../kit/text.module.css'
import styles from './parts.module.css'

/** The band over every page of practice. `children` stand at its end. */
export const PracticeNote = ({ children }: { readonly children?: ReactNode }) => (
  <section className={styles.band} aria-label="Practice">
    <span className={styles.bandTag}>
      <Icon name="flask" />
      Practice
    </span>
    <span className={textStyles.cut}>A local exchange on this computer. Nothing here is real money.</span>
    {children}
  </section>
)
