// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.yarn;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.heddle.market.http.VoucherDesk;
import org.heddle.market.security.RefusedException;
import org.jspecify.annotations.Nullable;

/**
 * Where applications wait whose voucher is being written down: the ResourceManager's dispatcher must not wait for a store.
 * Thread-safe.
 */
final class VoucherGate {
    private final LongSupplier wallMillis;
    private final Set<ApplicationId> admitted = ConcurrentHashMap.newKeySet();
    private final ExecutorService clerk = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "heddle-market-vouchers");
        thread.setDaemon(true);
        return thread;
    });

    /** Opens the desk when the first voucher comes. */
    interface Desk {
        VoucherDesk open() throws RefusedException;
    }

    private final Desk opener;
    private @Nullable VoucherDesk desk;

    VoucherGate(Desk opener, LongSupplier wallMillis) {
        this.opener = opener;
        this.wallMillis = wallMillis;
    }

    /**
     * Uses a voucher, later and in another thread.
     *
     * @param answer is told the application and why it is refused; null if it is admitted
     */
    void use(
            String tag,
            ApplicationId application,
            String account,
            String user,
            BiConsumer<ApplicationId, @Nullable String> answer) {
        clerk.execute(() -> {
            String refusal = null;
            try {
                VoucherDesk open = desk;
                if (open == null) {
                    open = opener.open();
                    desk = open;
                }
                open.use(tag, application.toString(), account, user, wallMillis.getAsLong());
                admitted.add(application);
            } catch (RefusedException e) {
                refusal = "Application " + application + " is refused: " + e.sentence();
            } catch (RuntimeException e) {
                refusal = "Application " + application + " is refused, because its voucher cannot be checked: " + e;
            }
            answer.accept(application, refusal);
        });
    }

    boolean isAdmitted(ApplicationId application) {
        return admitted.contains(application);
    }

    /** The application has come in, or will not. */
    void forget(ApplicationId application) {
        admitted.remove(application);
    }

    void close() {
        clerk.shutdownNow();
    }
}
