import type { Handover } from '../../shared/ipc/secrets.ts'
import { unreachable } from '../../shared/result.ts'
import { planCommand } from './any-command.ts'
import { planDocker } from './docker.ts'
import { planGithub } from './github.ts'
import { planKubernetes } from './kubernetes.ts'
import type { PlanResult } from './plan.ts'
import { planSsh } from './ssh.ts'
import { planSystemd } from './systemd.ts'

/** The command for a target, or `bad_input` with the option that cannot be. Pure. */
export function planHandover(handover: Handover): PlanResult {
  switch (handover.target) {
    case 'systemd':
      return planSystemd(handover.options)
    case 'docker':
      return planDocker(handover.options)
    case 'kubernetes':
      return planKubernetes(handover.options)
    case 'github':
      return planGithub(handover.options)
    case 'ssh':
      return planSsh(handover.options)
    case 'command':
      return planCommand(handover.options)
    default:
      return unreachable(handover)
  }
}
