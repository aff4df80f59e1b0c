// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.alert;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.status.QueueStatus;

/**
 * Finds accounts whose runway has fallen below a limit. An account is reported again only after its balance has grown,
 * or after a day, since its runway changes with every container. No clock, no network; not thread-safe.
 */
final class RunwayWatch {
    private static final long AGAIN_MILLIS = Duration.ofDays(1).toMillis();

    private record Reported(Credits balance, long atMillis) {}

    private final Duration limit;
    private final Map<String, Reported> reported = new HashMap<>();

    RunwayWatch(Duration limit) {
        this.limit = limit;
    }

    /** The accounts to report now. */
    List<QueueStatus> below(List<QueueStatus> accounts, long nowMillis) {
        Set<String> names = accounts.stream().map(QueueStatus::name).collect(Collectors.toSet());
        reported.keySet().retainAll(names);
        List<QueueStatus> now = new ArrayList<>();
        for (QueueStatus account : accounts) {
            boolean isBelow =
                    account.runway().map(runway -> runway.compareTo(limit) < 0).orElse(false);
            if (isBelow && isDue(account, nowMillis)) {
                reported.put(account.name(), new Reported(account.budget(), nowMillis));
                now.add(account);
            }
        }
        return now;
    }

    private boolean isDue(QueueStatus account, long nowMillis) {
        Reported last = reported.get(account.name());
        return last == null
                || account.budget().nanos() > last.balance().nanos()
                || nowMillis - last.atMillis() >= AGAIN_MILLIS;
    }
}
