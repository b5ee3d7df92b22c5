import type { Performer } from '../../kernel/parsing/perform.ts'
import { performGitView } from '../../keys/delivery/perform-git-view.ts'
import { performKeyText } from '../../keys/imported/perform-key-text.ts'
import { performFolderScan, performHistoryScan } from '../../keys/leaks/perform-scan.ts'
import { performMapFile } from '../../service/field-names/perform-map-file.ts'
import { performPasted } from '../../webhooks/subscriptions/perform-pasted.ts'

/** All that reads files and texts of others. For the parsing process alone. */
export const performers: readonly Performer[] = [performFolderScan, performHistoryScan, performGitView, performKeyText, performMapFile, performPasted]
