// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/** For test classes, by {@code @ExtendWith}: when a test fails, running clusters keep their logs and it says where. */
public final class KeepLogs implements TestExecutionExceptionHandler, LifecycleMethodExecutionExceptionHandler {
    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        throw kept(failure);
    }

    @Override
    public void handleBeforeAllMethodExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        throw kept(failure);
    }

    @Override
    public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        throw kept(failure);
    }

    private static Throwable kept(Throwable failure) {
        Cluster.keepAllLogs(failure);
        return failure;
    }
}
