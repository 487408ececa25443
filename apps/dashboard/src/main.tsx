/** The page: one application whose URL determines what it shows. */
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queries } from './data/queries.ts'
import { router } from './router.tsx'
import './style.css'

const page = document.getElementById('page')
if (!page) throw new Error('index.html has no element for the page')
createRoot(page).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
