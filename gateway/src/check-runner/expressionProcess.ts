// The process in which expressions are evaluated.
import { answerApart } from '../platform/answerApart.ts'
import { evaluateLook, type Look } from './evaluateLook.ts'

answerApart((looks) => (looks as readonly Look[]).map(evaluateLook))
