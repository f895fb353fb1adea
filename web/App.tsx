import './ui/mantine.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { BrowserRouter } from 'react-router';
import { queryClient } from './api/query-client.ts';
import { Commands } from './features/commands/Commands.tsx';
import { CompanyBrand } from './features/session/CompanyBrand.tsx';
import { ConnectionNotice } from './features/session/ConnectionNotice.tsx';
import { IdleEnd } from './features/session/IdleEnd.tsx';
import { PasswordDialog } from './features/session/PasswordDialog.tsx';
import { Uploading } from './features/uploads/Uploading.tsx';
import { AppRoutes } from './routes.tsx';
import { cssVariables, styleNonce, theme } from './theme.ts';
import { useMessagePlace } from './ui/message-place.ts';
import { motionMs } from './ui/motion.ts';

/** Everything behind the sign-in. */
export function App() {
  useMessagePlace();
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={styleNonce}
    >
      <QueryClientProvider client={queryClient}>
        {/* What is told is told to its end. */}
        <Notifications position="bottom-center" limit={4} transitionDuration={motionMs} notificationMaxHeight="80dvh" />
        <CompanyBrand />
        <PasswordDialog />
        <IdleEnd />
        <BrowserRouter>
          <ConnectionNotice />
          <AppRoutes />
          <Uploading />
          <Commands />
        </BrowserRouter>
      </QueryClientProvider>
    </MantineProvider>
  );
}
