// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.Set;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Decides what becomes of the logs of clusters that are closed: kept where their test failed, and thrown away where it
 * did not. JUnit's launcher finds it by {@code META-INF/services}; there is nothing to switch on.
 */
public final class FailureLogListener implements TestExecutionListener {
    private final Set<String> failedClasses = new HashSet<>();

    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
        FailureLogs.listen();
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        boolean failed = result.getStatus() == TestExecutionResult.Status.FAILED;
        // A cluster of a test is closed when the test ends, and one of a class when all tests of the class have ended.
        test.getSource().ifPresent(source -> {
            if (source instanceof MethodSource method && test.isTest()) {
                if (failed) {
                    failedClasses.add(method.getClassName());
                }
                decide(failed, simple(method.getClassName()) + "." + method.getMethodName() + called(test, method));
            } else if (source instanceof ClassSource type) {
                decide(failed || failedClasses.contains(type.getClassName()), simple(type.getClassName()));
            }
        });
    }

    /** Distinguishes the invocations of a test with parameters. */
    private static String called(TestIdentifier test, MethodSource method) {
        String name = test.getDisplayName();
        return name.equals(method.getMethodName() + "()") ? "" : "-" + name;
    }

    private static String simple(String className) {
        return className.substring(className.lastIndexOf('.') + 1);
    }

    private static void decide(boolean failed, String test) {
        if (!failed) {
            FailureLogs.forget();
            return;
        }
        try {
            String told = FailureLogs.keep(test);
            if (!told.isEmpty()) {
                System.out.println(told);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the logs of " + test + " cannot be kept", e);
        }
    }
}
