import './app/withoutEval.ts'
import './ui/blueprint.ts'
import './ui/theme.css'
import './ui/ui.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { App } from './app/App.tsx'
import { createAppRouter } from './app/routes.tsx'

const container = document.getElementById('root')
if (container === null) throw new Error('index.html has no #root')

const router = createAppRouter()

createRoot(container).render(
  <StrictMode>
    <App router={router} />
  </StrictMode>,
)
