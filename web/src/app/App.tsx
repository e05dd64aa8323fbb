import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createStore, Provider as PreferencesProvider } from 'jotai'
import { type ReactNode, useState } from 'react'

import { createQueryClient } from '../api/queryClient.ts'
import { useApplyDensity } from '../preferences/density.ts'
import { useApplyTheme } from '../preferences/theme.ts'
import { router } from './routes.tsx'

export function App() {
  const [queryClient] = useState(createQueryClient)
  const [store] = useState(createStore)
  return (
    <PreferencesProvider store={store}>
      <QueryClientProvider client={queryClient}>
        <Appearance>
          <RouterProvider router={router} />
        </Appearance>
      </QueryClientProvider>
    </PreferencesProvider>
  )
}

function Appearance({ children }: { children: ReactNode }) {
  useApplyTheme()
  useApplyDensity()
  return children
}
