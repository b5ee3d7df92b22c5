import type { Performer } from '../../kernel/parsing/perform.ts'
import { performKeyText } from '../../keys/imported/key-text.ts'
import { performFolderScan, performGitView, performHistoryScan } from '../../keys/leaks/scan.ts'
import { performMapFile } from '../../service/field-names/perform-map-file.ts'
import { performPasted } from '../../webhooks/subscriptions/perform-pasted.ts'

/** All jobs that read untrusted files and texts. They run only in the parsing process. */
export const performers: readonly Performer[] = [performFolderScan, performHistoryScan, performGitView, performKeyText, performMapFile, performPasted]
